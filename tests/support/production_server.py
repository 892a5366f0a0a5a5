"""The web server of `make serve`, for tests and measurements that want the real one, with a home of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parent.parent.parent


def environment(home: Path, **more: str) -> dict[str, str]:
    """The default settings, on embedded servers in this folder, whatever the tests' own environment names."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "impactbench.settings.dev",
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "IMPACTBENCH_HOME": str(home),
        "STANDING_WORKER": "no",
        "API_REQUESTS_A_MINUTE": "0",
        **more,
    }


def started(settings: Mapping[str, str], port: int, **options: Any) -> subprocess.Popen[bytes]:
    """Gunicorn as docker/ configures it; `options` are of the process. It may take a while until it answers."""
    return subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "docker/gunicorn.conf.py", "impactbench.wsgi"],
        cwd=ROOT,
        env={**settings, "PORT": str(port), "BIND": f"127.0.0.1:{port}"},
        **options,
    )


@contextmanager
def served(settings: Mapping[str, str]) -> Iterator[str]:
    """The web server; gives its address, without a slash at the end, when it answers."""
    port = free_port()
    server = started(settings, port)
    url = f"http://localhost:{port}"
    try:
        _wait_until_it_answers(server, url)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_until_it_answers(server: subprocess.Popen[bytes], url: str) -> None:
    while server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"{url}/healthz", timeout=5):
            return
        time.sleep(0.1)
    raise RuntimeError(f"gunicorn ended with {server.returncode}")
