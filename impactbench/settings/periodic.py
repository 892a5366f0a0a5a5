"""Entries of the clock's timetable."""

from typing import Any


def every(seconds: float, task: str, queue: str) -> dict[str, Any]:
    """Ask for `task` on `queue` again and again; a message that nobody took before the next one is dropped."""
    return {"task": task, "schedule": seconds, "options": {"queue": queue, "expires": seconds}}
