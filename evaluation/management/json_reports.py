"""The JSON reports of commands."""

import json
import os
from pathlib import Path
from typing import Any

from impactbench.common.errors import UnusableInput


def refuse_unwritable(file: Path | None) -> None:
    """Raises UnusableInput where a report could not be written, before the work that it would tell of."""
    if file is None:
        return
    if file.is_dir() or not file.parent.is_dir():
        raise UnusableInput(f"the report {file} cannot be written: name a file in an existing folder")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise UnusableInput(f"the report {file} cannot be written: it may not be written by this account")


def write_report(report: dict[str, Any], file: Path | None) -> None:
    """Write a report as indented JSON, when a file is named. Raises UnusableInput where it cannot be written."""
    if file is None:
        return
    try:
        file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as problem:
        raise UnusableInput(f"the report {file} cannot be written: {problem.strerror}") from problem
