"""The workers that stand beside the web server of one machine: started by its master, gone with it.

Run as `python -m impactbench.standing_workers` by docker/gunicorn.conf.py; ends at once where STANDING_WORKER is off.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.dev")

# Names the process to end with: the web server's master for us, we for the workers (evaluation.workers.parent_watch).
PARENT_VARIABLE = "IMPACTBENCH_PARENT_PID"
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_TO_STOP = 8.0
LONGEST_PAUSE = 60.0  # between two starts of a worker that keeps dying
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")


@dataclass
class Worker:
    """One Celery worker that is started again whenever it dies."""

    name: str
    options: tuple[str, ...]
    _process: subprocess.Popen[bytes] | None = None
    _start_at: float = 0.0
    _started_at: float = 0.0
    _pause: float = 0.5

    def look(self) -> None:
        """Start the worker when it is time to, and note its death."""
        now = time.monotonic()
        if self._process is not None and self._process.poll() is not None:
            self.kill()  # its children, should it have been killed
            self._pause = 1.0 if now - self._started_at > LONGEST_PAUSE else min(2 * self._pause, LONGEST_PAUSE)
            print(f"the {self.name} worker ended; it starts again in {self._pause:.0f} s", file=sys.stderr)  # noqa: T201
            self._process, self._start_at = None, now + self._pause
        if self._process is None and now >= self._start_at:
            self._started_at = now
            self._process = self._start()

    def stop(self) -> None:
        """Ask the worker to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait_or_kill(self, deadline: float) -> None:
        """Return when the worker and all of its processes are gone, not long after `deadline`."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=max(0.1, deadline - time.monotonic()))
            self.kill()

    def kill(self) -> None:
        """End the worker's whole session: its own death does not take the clock beside it along."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        name = f"standing-{self.name}-{os.getpid()}@%h"
        # Who runs the web server as root knows it.
        python = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges"]
        celery = [*python, "-m", "celery", "-A", "impactbench", "worker", "--hostname", name, *QUIET]
        return subprocess.Popen(
            [*celery, *self.options],
            cwd=settings.BASE_DIR,
            env={**os.environ, PARENT_VARIABLE: str(os.getpid()), "CELERY_SKIP_CHECKS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # Celery's banner; what matters goes to standard error
            start_new_session=True,
        )


@contextlib.contextmanager
def standing_workers() -> Iterator[list[Worker]]:
    """The workers, not started yet; all of them are gone at the end.

    Runs have a worker of their own: mails and trials must not wait behind them.
    """
    workers = [
        Worker("portal", ("--queues", settings.PORTAL_QUEUE, "--concurrency", "2", "--beat")),
        Worker("runs", ("--queues", settings.CELERY_TASK_DEFAULT_QUEUE, "--pool", "solo")),
    ]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.stop()
        deadline = time.monotonic() + SECONDS_TO_STOP
        for worker in workers:
            worker.wait_or_kill(deadline)


def main() -> None:
    """Keep the workers standing until told to stop, or until the process that started us is gone."""
    if not settings.STANDING_WORKER:
        return
    parent = int(os.environ[PARENT_VARIABLE])
    told_to_stop = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        told_to_stop.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with standing_workers() as workers:
        while os.getppid() == parent and not told_to_stop.is_set():
            for worker in workers:
                worker.look()
            told_to_stop.wait(SECONDS_BETWEEN_LOOKS)


if __name__ == "__main__":
    main()
