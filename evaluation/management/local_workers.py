"""Worker processes that a command starts for itself: they work on one run, and go when the command goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from evaluation.models import Run
from evaluation.workers.parent_watch import VARIABLE
from impactbench.common.errors import DomainError, UnusableInput

_SECONDS_TO_HAND_BACK = 40
_MOST_RESTARTS = 3
MOST_WORKERS = 64


def default_workers() -> int:
    """As many as this process may use cores, at most 2: a worker holds many conversations."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return max(1, min(2, cores))


def workers_asked_for(asked: int | None) -> int:
    """How many worker processes a command starts: its `--workers`, without it the default.

    Raises UnusableInput for fewer than none or more than MOST_WORKERS.
    """
    workers = default_workers() if asked is None else asked
    if not 0 <= workers <= MOST_WORKERS:
        raise UnusableInput(f"--workers must be from 0 to {MOST_WORKERS}")
    return workers


def queue_of(run: Run) -> str:
    """The queue of a run's own workers; standing workers listen on the common one."""
    return f"impactbench.run.{run.slug}"


class LocalWorkers:
    """Workers of one run as child processes; one that dies is started again a few times."""

    def __init__(self, run: Run, n: int) -> None:
        self._run = run
        self._restarts = 0
        self._processes: list[subprocess.Popen[bytes]] = []
        self._folder = Path(settings.IMPACTBENCH_HOME) / "logs"
        self._folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, n + 1):
            self._processes.append(self._start(number))

    def look_after(self) -> None:
        """Starts dead workers again. Raises DomainError when they keep dying."""
        for number, process in enumerate(self._processes, start=1):
            if process.poll() is not None:
                self._restarts += 1
                if self._restarts > _MOST_RESTARTS * len(self._processes):
                    raise DomainError(
                        f"the workers of run {self._run.slug} keep ending by themselves; see {self.log(number)}"
                    )
                self._processes[number - 1] = self._start(number)

    def stop(self) -> None:
        """Lets every worker hand back what it holds; whoever takes too long is killed."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + _SECONDS_TO_HAND_BACK
        for process in self._processes:
            try:
                process.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self, number: int) -> Path:
        return self._folder / f"{self._run.slug}-worker-{number}.log"

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C reaches the command alone, which then stops its workers in order.
        with self._open_log(number) as log:
            return subprocess.Popen(
                self._command(number),
                cwd=settings.BASE_DIR,
                env={
                    **os.environ,
                    VARIABLE: str(os.getpid()),
                    "CELERY_SKIP_CHECKS": "1",
                    "IMPACTBENCH_HOME": str(settings.IMPACTBENCH_HOME),
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _open_log(self, number: int) -> IO[bytes]:
        return self.log(number).open("ab")

    def _command(self, number: int) -> list[str]:
        name = f"{self._run.slug}-{os.getpid()}-{number}@%h"
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
        celery = [sys.executable, "-m", "celery", "-A", "impactbench", "worker"]
        return [*celery, "--pool", "solo", "--queues", queue_of(self._run), "--hostname", name, *quiet]


@contextmanager
def local_workers(run: Run, n: int) -> Iterator[LocalWorkers]:
    """`n` workers for a run, stopped at the end whatever happens."""
    workers = LocalWorkers(run, n)
    try:
        yield workers
    finally:
        workers.stop()
