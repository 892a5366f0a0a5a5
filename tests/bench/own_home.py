"""PostgreSQL and Valkey of a measurement alone, in a temporary folder, and without a supervisor: who measures may kill
them and say when they start again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import django

from impactbench import embedded
from impactbench.embedded import folders
from impactbench.embedded.postgres import PostgresServer
from impactbench.embedded.server import SERVER_ENVIRONMENT, Server
from impactbench.embedded.valkey import ValkeyServer
from tests.bench.processes import tree

_SECONDS_TO_START = 120.0


class ForgetfulValkey(ValkeyServer):
    """A broker that keeps nothing: when it dies, all messages, limits and reports are gone."""

    def command(self) -> list[str]:
        return [*super().command(), "--appendonly", "no"]


class Killable:
    """One server as a child of ours."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._process: subprocess.Popen[bytes] | None = None
        self.title = server.title

    @property
    def pid(self) -> int:
        """Of the process that the others are children of; another one after each start."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when the server answers. Raises RuntimeError when it ends instead."""
        asyncio.run(self._server.prepare())
        how = self._server.launch()
        with self._server.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*how.prefix, *self._server.command()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=SERVER_ENVIRONMENT,
                **how.options,
            )
        deadline = time.monotonic() + _SECONDS_TO_START
        while not asyncio.run(self._server.answers()):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.title} does not start; its log {self._server.log} says why")
            time.sleep(0.05)

    def kill(self) -> None:
        """`kill -9` of the server and of all its children at once."""
        kill_nine(self.pid)
        assert self._process is not None
        self._process.wait()

    def stop(self) -> None:
        """Ends the server in order, should it run."""
        if self._process is None or self._process.poll() is not None:
            return
        for number, seconds in self._server.stop_steps:
            self._process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=seconds)
                return


@dataclass(frozen=True)
class Home:
    """The folder and the two servers in it; `variables` lead other processes to them."""

    folder: Path
    postgres: Killable
    valkey: Killable
    variables: dict[str, str]


@contextmanager
def own_home(variables: Mapping[str, str] | None = None, *, broker_keeps: bool = True) -> Iterator[Home]:
    """Both servers, Django set up on them in this process and the tables in place; all of it is gone at the end.

    `variables` are further settings, for this process and for those that are started with `Home.variables`.
    """
    with tempfile.TemporaryDirectory(prefix="impactbench-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # root's PostgreSQL runs under another account and must pass through
        places = embedded.paths(folder)
        folders.create(places)
        valkey = ValkeyServer(places) if broker_keeps else ForgetfulValkey(places)
        home = Home(
            folder,
            Killable(PostgresServer(places)),
            Killable(valkey),
            {
                "DATABASE_URL": embedded.database_url(folder),
                "REDIS_URL": embedded.redis_url(folder),
                "DJANGO_SETTINGS_MODULE": "impactbench.settings.test",
                "IMPACTBENCH_HOME": name,
                **(variables or {}),
            },
        )
        try:
            home.postgres.start()
            home.valkey.start()
            _set_up(home)
            yield home
        finally:
            home.valkey.stop()
            home.postgres.stop()


def kill_nine(*roots: int) -> None:
    """`kill -9` of these processes and all their descendants; parents first, so that none is started again."""
    for pid in tree(*roots):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _set_up(home: Home) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else nobody would clear away what was started
    os.environ.update(home.variables)
    django.setup()
    import impactbench.celery  # noqa: F401  (tasks find their broker through it)
    from impactbench.common.readiness import apply_pending_migrations

    apply_pending_migrations()
