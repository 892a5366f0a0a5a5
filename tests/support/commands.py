"""Management commands as processes of their own on the test database, for what must survive kill -9."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments: str | Path, home: Path, **variables: str) -> subprocess.Popen[str]:
    """`manage.py` with these arguments, on the test database and its Redis, with its logs under `home`."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **environment(home), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(*arguments: str | Path, home: Path, **variables: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    process = command(*arguments, home=home, **variables)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@contextmanager
def standing_worker(*queues: str, home: Path) -> Iterator[None]:
    """A worker that takes one message after the other from these queues, ended as operators end one."""
    # Who runs the tests as root knows it.
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges"]
    celery = [*python, "-m", "celery", "-A", "impactbench", "worker", "--pool", "solo", "--loglevel", "ERROR"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--queues", ",".join(queues)]
    variables = {**os.environ, **environment(home), "CELERY_SKIP_CHECKS": "1"}
    worker = subprocess.Popen([*celery, *quiet], cwd=ROOT, env=variables, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(timeout=60)


def environment(home: Path) -> dict[str, str]:
    """The variables that lead a process to the test database."""
    return {
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_url(),
        "DJANGO_SETTINGS_MODULE": "impactbench.settings.test",
        "IMPACTBENCH_HOME": str(home),
        "MODEL_CALL_ATTEMPTS": "2",
        "MODEL_CALL_SECONDS": "5",
    }


def redis_url() -> str:
    """The broker of the tests as REDIS_URL; of the embedded servers it is another database than the cache's."""
    return str(settings.CELERY_BROKER_URL).replace("redis+socket://", "unix://").replace("virtual_host=", "db=")


def database_url() -> str:
    """The test database as DATABASE_URL."""
    database = settings.DATABASES["default"]
    user = quote(database["USER"]) + (f":{quote(database['PASSWORD'])}" if database["PASSWORD"] else "")
    port = f"&port={database['PORT']}" if database["PORT"] else ""
    return f"postgresql://{user}@/{quote(database['NAME'])}?host={quote(database['HOST'])}{port}"
