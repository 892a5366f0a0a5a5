"""Plain JSON of a results folder, and typed access to it with one clear line for what is not as expected."""

import json
from pathlib import Path
from typing import Any

from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.problems import FileProblem

MAX_BYTES = 500_000_000


def read_source(file: Path) -> Any:
    """The value of a JSON file of at most 500 MB; raises FileProblem."""
    try:
        return json.loads(read_text(file, MAX_BYTES))
    except json.JSONDecodeError as error:
        raise FileProblem(file, f"is not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise FileProblem(file, "is not readable JSON") from None


def as_dict(file: Path, value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileProblem(file, f"{what} must be an object")
    return value


def as_list(file: Path, value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise FileProblem(file, f"{what} must be a list")
    return value


def as_text(file: Path, value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise FileProblem(file, f"{what} must be text")
    return value.strip()
