"""VERA-MH: both layouts of its rubric become metric drafts, its personas become scenario drafts."""

from pathlib import Path

from evaluation.importers.formats import vera_grades, vera_personas, vera_questions
from evaluation.importers.formats.beginnings import beginning, kinds_in, own_files
from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import as_table, read_literal_tsv
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="vera-mh",
    name="VERA-MH",
    source=Source("VERA-MH (Spring Care)", "https://github.com/SpringCare/VERA-MH"),
    licence="MIT-style, its disclaimer kept with every copy",
    duty="its licence asks that its notice and its disclaimer go with every copy: upload it in one folder with LICENSE",
)
_LAYOUTS = {
    "questions": {"Question ID", "Dimension", "Severity", "Question"},
    "grades": {"Dimension", "Best Practice", "High Potential for Harm"},
    "personas": {"Name", "Age", "Background", "Sample Prompts"},
}
# Personas are scenarios of the metrics, so they are read last.
_ORDER = ("questions", "grades", "personas", "template")


def describe() -> FormatDescription:
    return FormatDescription("vera-mh", "VERA-MH rubric and personas (TSV)", False)


def recognises(path: Path) -> bool:
    """A table of VERA-MH, its template for persona prompts, or a folder that holds a table. Never raises."""
    return bool(find(path)) if path.is_dir() else _kind(path) is not None


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    if path.is_file():
        return (path,)
    return (path,) if any(_kind(file) != "template" for file in own_files(path, lambda file: bool(_kind(file)))) else ()


def read(path: Path) -> ReadDrafts:
    """Read one table, or all of a folder as one benchmark. Raises FileProblem with file, line and column."""
    found = Gathering(path)
    for kind, file in kinds_in(path, _kind, _ORDER, PUBLICATION.name):
        if kind == "template" and path.is_dir():
            found.skip(file.relative_to(path).as_posix(), "a template for the prompt of a persona, which is no draft")
            continue
        if kind == "template":
            raise FileProblem(file, "is the template for the prompt of a persona; upload the personas themselves")
        table = as_table(file, read_literal_tsv(file))
        {"questions": vera_questions.add, "grades": vera_grades.add, "personas": vera_personas.add}[kind](
            found, file, table
        )
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    text = beginning(file)
    columns = {" ".join(cell.split()) for cell in text.partition("\n")[0].split("\t")}
    kind = next((kind for kind, needed in _LAYOUTS.items() if columns >= needed), None)
    return kind or ("template" if "{Name}" in text and "{Sample Prompts}" in text else None)
