"""Ends a worker whose starting command is gone, even by kill -9."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

from celery.signals import worker_init

# Set by the command that starts workers of its own; workers started by hand have no such parent.
VARIABLE = "IMPACTBENCH_PARENT_PID"
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_TO_HAND_BACK = 30.0


@worker_init.connect
def watch_parent(**_: Any) -> None:
    """Watches, in a thread, that the parent named in the environment is still ours; from the start, broker or not."""
    named = os.environ.get(VARIABLE, "")
    if named.isdecimal():
        threading.Thread(target=_watch, args=(int(named),), name="parent-watch", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_SECONDS_TO_HAND_BACK)
    os.kill(os.getpid(), signal.SIGKILL)
