"""The time that reading one file may take, so that a hostile file cannot hold a worker."""

import time
from pathlib import Path

from evaluation.importers.formats.problems import FileProblem

MAX_SECONDS = 60


class Deadline:
    """Starts when it is made; `check` raises FileProblem once the time is up."""

    def __init__(self, file: Path, seconds: float = MAX_SECONDS) -> None:
        self.file = file
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self, line: int | None = None, column: int | None = None) -> None:
        if time.monotonic() > self._end:
            raise FileProblem(self.file, f"takes longer than {self.seconds:g} seconds to read; split it", line, column)
