"""The time that reading one file may take, so that a hostile file cannot hold a worker."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Self

from evaluation.importers.formats.problems import FileProblem

MAX_SECONDS = 60
WHAT_TO_DO = "to read; split it"
_around: ContextVar["Deadline | None"] = ContextVar("deadline", default=None)


class Deadline:
    """Starts when it is made; `check` raises FileProblem once the time is up, its own or that of one around it."""

    def __init__(self, file: Path, seconds: float = MAX_SECONDS, *, what_to_do: str = WHAT_TO_DO) -> None:
        self.file = file
        self.seconds = seconds
        self._what_to_do = what_to_do
        self._end = time.monotonic() + seconds
        self._around = _around.get()

    def check(self, line: int | None = None, column: int | None = None) -> None:
        if self._around is not None:
            self._around.check()
        if time.monotonic() > self._end:
            message = f"takes longer than {self.seconds:g} seconds {self._what_to_do}"
            raise FileProblem(self.file, message, line, column)

    @contextmanager
    def around(self) -> Iterator[Self]:
        """Every deadline that is made inside ends with this one at the latest."""
        token = _around.set(self)
        try:
            yield self
        finally:
            _around.reset(token)
