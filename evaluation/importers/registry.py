"""Chooses the format of a file or folder (`--format auto`)."""

from pathlib import Path

from evaluation.importers.formats import native, pipeline_results, published_results
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.result_types import ResultFormat
from evaluation.importers.formats.types import Format

AUTO = "auto"
FORMATS: tuple[Format, ...] = (native,)
RESULT_FORMATS: tuple[ResultFormat, ...] = (published_results, pipeline_results)


def format_names() -> tuple[str, ...]:
    """What `--format` takes."""
    return (AUTO, *(format_.describe().name for format_ in FORMATS))


def choose_format(path: Path, name: str = AUTO) -> Format:
    """The format of that name, or with 'auto' the first that recognises `path`.

    Raises ValueError for an unknown name, FileProblem when the path is missing or nobody recognises it.
    """
    if name not in format_names():
        raise ValueError(f"unknown format {name!r}; choose one of {', '.join(format_names())}")
    if not path.exists():
        raise FileProblem(path, "does not exist")
    for format_ in FORMATS:
        if name == format_.describe().name or (name == AUTO and format_.recognises(path)):
            return format_
    known = ", ".join(format_.describe().title for format_ in FORMATS)
    raise FileProblem(path, f"is in no known format; known are: {known}")


def choose_result_format(path: Path) -> ResultFormat:
    """The format of finished results that recognises `path`; raises FileProblem when none does."""
    if not path.exists():
        raise FileProblem(path, "does not exist")
    for format_ in RESULT_FORMATS:
        if format_.recognises(path):
            return format_
    known = ", ".join(format_.describe().title for format_ in RESULT_FORMATS)
    raise FileProblem(path, f"holds no finished results; known are: {known}")
