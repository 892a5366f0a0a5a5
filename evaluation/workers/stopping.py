"""The one byte by which a worker's processes learn that it is shutting down."""

from __future__ import annotations

import mmap
from typing import Any

from celery.signals import worker_shutting_down

# Shared memory made before the worker forks: the signal arrives in the parent, the children look here.
_STOP = mmap.mmap(-1, 1)


def is_stopping() -> bool:
    """True once this worker was told to stop (SIGTERM, Ctrl-C, or the command that started it is gone)."""
    return _STOP[0] != 0


@worker_shutting_down.connect
def note_stop(**_: Any) -> None:
    _STOP[0] = 1
