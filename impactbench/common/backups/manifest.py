"""What a backup says of itself: enough to tell, before and after a restore, whether all of it is there."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from impactbench.common.errors import UnusableInput

# The form of the folder; another form gets another number.
FORM = 1
MANIFEST, DATABASE, FILES = "manifest.json", "database.dump", "files"


@dataclass(frozen=True)
class Manifest:
    """`made_at` is ISO 8601; `migrations` are those applied, as app.name; `tables` counts rows; `files` are SHA-256."""

    made_at: str
    server_version: str
    migrations: tuple[str, ...]
    tables: dict[str, int]
    database: str
    files: dict[str, str]

    def write(self, folder: Path) -> None:
        """Write it beside what it tells of."""
        document = {"form": FORM, **asdict(self)}
        (folder / MANIFEST).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup. Raises UnusableInput where the folder is none, or of a form that is not known."""
    try:
        document: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        form = document.pop("form")
        if form != FORM:
            raise UnusableInput(f"{folder} is a backup of form {form}, and this version reads form {FORM}")
        return Manifest(**{**document, "migrations": tuple(document["migrations"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UnusableInput(f"{folder} is no backup: it has no {MANIFEST} that `backup` wrote") from problem
