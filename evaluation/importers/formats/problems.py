"""The one way a format says that a file cannot be read: file, line, column and one clear sentence."""

from pathlib import Path


class FileProblem(Exception):
    """A file cannot be read. `line` and `column` count from 1 and are None where a place has no meaning."""

    def __init__(self, file: Path, message: str, line: int | None = None, column: int | None = None) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        super().__init__(str(self))

    def __str__(self) -> str:
        place = [str(self.file)]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        return f"{', '.join(place)}: {self.message}"
