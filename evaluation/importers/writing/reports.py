"""What an import of benchmark files tells about each file."""

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["imported", "unchanged", "skipped", "failed"]


@dataclass
class FileReport:
    """One file: its status; how many metrics were created, updated, unchanged; what was left out or noteworthy."""

    file: str
    format: str
    status: Status = "unchanged"
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[dict[str, str]] = field(default_factory=list)
    flags: list[dict[str, str]] = field(default_factory=list)
    reason: str | None = None
    line: int | None = None
    column: int | None = None
    # The reason with its place, as one line for a person.
    problem: str = ""

    def flag(self, place: str, flag: str) -> None:
        self.flags.append({"place": place, "flag": flag})

    def as_json(self) -> dict[str, Any]:
        """As the command's JSON report has it; line, column and reason only of a failed or skipped file."""
        told = {
            "file": self.file,
            "format": self.format,
            "status": self.status,
            "created": self.created,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "skipped": self.skipped,
            "flags": self.flags,
        }
        if self.status == "failed":
            told |= {"line": self.line, "column": self.column}
        if self.reason is not None:
            told["reason"] = self.reason
        return told
