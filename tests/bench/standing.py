"""Workers as an operator starts them on several machines: `celery -A impactbench worker`, each with its own home."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from impactbench.standing_workers import PARENT_VARIABLE
from tests.bench.own_home import Home, kill_nine
from tests.bench.processes import tree
from tests.support.production_server import ROOT

_SECONDS_TO_HAND_BACK = 40.0


class StandingWorker:
    """One worker; it knows the servers by their addresses alone."""

    def __init__(self, home: Home, name: str) -> None:
        self.title = f"worker {name}"
        self._name = name
        self._home = home
        self._folder = home.folder / f"home-of-{name}"
        self._folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self._folder / "worker.log"

    def start(self) -> None:
        """Returns at once; the worker looks for work a few seconds later."""
        celery = [sys.executable, "-m", "celery", "-A", "impactbench", "worker", "--concurrency", "1"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*celery, "--hostname", f"{self._name}@%h", "--loglevel", "WARNING"],
                cwd=ROOT,
                env={
                    **os.environ,
                    **self._home.variables,
                    "IMPACTBENCH_HOME": str(self._folder),
                    PARENT_VARIABLE: str(os.getpid()),  # a killed measurement leaves no worker behind
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def pids(self) -> list[int]:
        """The worker and its children; none when it was killed or ended."""
        return tree(self._process.pid) if self._process is not None and self._process.poll() is None else []

    def kill(self) -> None:
        """`kill -9` of the worker and its children."""
        if self._process is not None:
            kill_nine(self._process.pid)
            self._process.wait()

    def stop(self) -> None:
        """Asks the worker to hand back what it holds and to end."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_SECONDS_TO_HAND_BACK)
        self.kill()


@contextmanager
def standing_workers(home: Home, *names: str) -> Iterator[list[StandingWorker]]:
    """Workers of these names, started; all of them have ended when the block does."""
    workers = [StandingWorker(home, name) for name in names]
    try:
        for worker in workers:
            worker.start()
        yield workers
    finally:
        for worker in workers:
            worker.stop()
