"""HumaneBench: its rubric becomes metric drafts, its questions and rated replies become scenario drafts."""

from pathlib import Path

from evaluation.importers.formats import humanebench_questions, humanebench_rubric
from evaluation.importers.formats.beginnings import beginning, first_cells, json_keys, kinds_in, own_files
from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import as_table, read_csv
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="humanebench",
    name="HumaneBench",
    source=Source("HumaneBench", "https://github.com/buildinghumanetech/humanebench"),
    licence="Apache-2.0",
)
_QUESTIONS = {"id", "input", "target", "metadata", "principle"}
_RATINGS = {"input_id", "input_text", "ai_output", "rating"}
_REVIEW = {"id", "input", "target", "principle", "domain"}
# Questions are scenarios of the rubric's metrics, so they are read after it; rated replies are added to questions.
_ORDER = ("rubric", "questions", "review", "ratings")


def describe() -> FormatDescription:
    return FormatDescription(
        "humanebench", "HumaneBench rubric, questions and ratings (Markdown, JSON Lines, CSV)", False
    )


def recognises(path: Path) -> bool:
    """A file of HumaneBench or a folder that holds one. Never raises."""
    return bool(find(path)) if path.is_dir() else _kind(path) is not None


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    if path.is_file():
        return (path,)
    return (path,) if any(True for _ in own_files(path, lambda file: _kind(file) is not None)) else ()


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and column."""
    found = Gathering(path)
    questions = humanebench_questions.Questions(found)
    for kind, file in kinds_in(path, _kind, _ORDER, PUBLICATION.name):
        match kind:
            case "rubric":
                humanebench_rubric.add(found, file)
            case "questions":
                questions.add_lines(file, read_json_lines(file))
            case "review":
                questions.add_review(file, as_table(file, read_csv(file)))
            case _:
                questions.add_ratings(file, as_table(file, read_csv(file)))
    questions.finish()
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    text = beginning(file)
    if json_keys(text) >= _QUESTIONS:
        return "questions"
    columns = set(first_cells(text, ","))
    if columns >= _RATINGS:
        return "ratings"
    if columns >= _REVIEW:
        return "review"
    return "rubric" if humanebench_rubric.is_rubric(text) else None
