"""Chooses the format of a file or folder by its content (`--format auto`)."""

from pathlib import Path
from typing import TypeVar

from evaluation.importers.formats import (
    counselbench,
    harmbench,
    healthbench,
    human_agency,
    humanebench,
    intima,
    kora,
    legalbench,
    native,
    pipeline_results,
    psychorisk,
    published_results,
    spreadsheet,
    stanford,
    tutorbench,
    vera,
    weval,
    wildbench,
)
from evaluation.importers.formats.draft_types import DraftFormat
from evaluation.importers.formats.positions import read_text, read_yaml_documents
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import ResultFormat
from evaluation.importers.formats.types import Format

AUTO = "auto"
_YAML = (".yml", ".yaml")
FORMATS: tuple[Format, ...] = (native,)
DRAFT_FORMATS: tuple[DraftFormat, ...] = (
    spreadsheet, weval, kora, humanebench, vera, healthbench, human_agency, stanford, legalbench, intima, counselbench,
    tutorbench, wildbench, harmbench, psychorisk,
)  # fmt: skip
RESULT_FORMATS: tuple[ResultFormat, ...] = (published_results, pipeline_results)

AnyFormat = Format | DraftFormat
ALL_FORMATS: tuple[AnyFormat, ...] = (*FORMATS, *DRAFT_FORMATS)

Known = TypeVar("Known", bound=AnyFormat)


def format_names() -> tuple[str, ...]:
    """What `--format` takes."""
    return (AUTO, *(format_.describe().name for format_ in ALL_FORMATS))


def choose_format(path: Path, name: str = AUTO) -> AnyFormat:
    """The format of that name, or with 'auto' the one that recognises the content of `path`.

    Raises ValueError for an unknown name; FileProblem when the path is missing, when nobody recognises it, with what
    is known, and when it could be of several formats.
    """
    if name not in format_names():
        raise ValueError(f"unknown format {name!r}; choose one of {', '.join(format_names())}")
    if not path.exists():
        raise FileProblem(path, "does not exist")
    return _one_of(path, ALL_FORMATS, name)


def choose_draft_format(path: Path) -> DraftFormat:
    """The foreign format that recognises the content of `path`; raises FileProblem as `choose_format` does."""
    if any(format_.recognises(path) for format_ in FORMATS):
        raise FileProblem(path, "is in our own format, which needs no desk; an operator imports it by import_benchmark")
    return _one_of(path, DRAFT_FORMATS, AUTO)


def choose_result_format(path: Path) -> ResultFormat:
    """The format of finished results that recognises `path`; raises FileProblem when none does."""
    if not path.exists():
        raise FileProblem(path, "does not exist")
    for format_ in RESULT_FORMATS:
        if format_.recognises(path):
            return format_
    known = ", ".join(format_.describe().title for format_ in RESULT_FORMATS)
    raise FileProblem(path, f"holds no finished results; known are: {known}")


def _one_of(path: Path, formats: tuple[Known, ...], name: str) -> Known:
    found = [item for item in formats if name == item.describe().name or (name == AUTO and item.recognises(path))]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(item.describe().name for item in found)
        raise FileProblem(path, f"could be of several formats: {names}; give each file by itself, or say --format")
    if any(item.recognises(path) for item in RESULT_FORMATS):
        raise FileProblem(path, "holds finished results, no definitions; use import_results")
    if path.is_file():
        # Says of a zip, of a text in another encoding or of a file that is too large what it is.
        _refuse_unreadable(path)
    known = "; ".join(item.describe().title for item in formats)
    raise FileProblem(path, f"is in no known format; known are: {known}")


def _refuse_unreadable(path: Path) -> None:
    """Raises FileProblem for a file whose trouble is another one than its format."""
    text = read_text(path)
    if not text.strip():
        raise FileProblem(path, "is empty; choose a file that holds something")
    if path.suffix.lower() not in _YAML:
        return
    try:
        read_yaml_documents(path)
    except FileProblem as problem:
        # A text that only looks like YAML by its name is of no known format, and that is the thing to say.
        if "alias" in problem.message:
            raise
