"""The JSON reports of commands."""

import json
from pathlib import Path
from typing import Any

from impactbench.common.errors import UnusableInput


def write_report(report: dict[str, Any], file: Path | None) -> None:
    """Write a report as indented JSON, when a file is named. Raises UnusableInput where it cannot be written."""
    if file is None:
        return
    try:
        file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as problem:
        raise UnusableInput(f"the report {file} cannot be written: {problem.strerror}") from problem
