"""The Stanford codebook: its codes of what an assistant says become metric drafts; codes of what users say do not."""

from pathlib import Path

from evaluation.importers.formats.beginnings import beginning, files_to_read, first_cells, is_or_holds, one_benchmark
from evaluation.importers.formats.draft_flags import REWORD
from evaluation.importers.formats.draft_keys import key_of_id
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ReadDrafts
from evaluation.importers.formats.polarity_proposals import wording_flags
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="stanford-llm-harm-taxonomy",
    name="Stanford LLM harm taxonomy",
    source=Source("llm-delusions-annotations", "https://github.com/jlcmoore/llm-delusions-annotations"),
    licence=None,
    sharing="no",
    is_verified=False,
)
_COLUMNS = {"id", "name", "description", "scope", "positive-examples", "negative-examples", "category"}
_ASSISTANT = "bot"
_WANTED = "bot-discourages-"
_CHECK = "the codebook describes what is said and does not say that all of it is harm: confirm the polarity"


def describe() -> FormatDescription:
    return FormatDescription("stanford-codebook", "Stanford codebook (CSV)", False)


def recognises(path: Path) -> bool:
    """A codebook or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one codebook, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    for file in files_to_read(path, _is_own):
        table = as_table(file, read_csv(file))
        for row in table.rows:
            place, stated = found.place(file, row.place), table.text(row, "id")
            if not stated or not table.text(row, "description"):
                found.skip(place, f"the code {stated or 'without an id'} has no description: a test or an empty row")
            elif table.text(row, "scope") != _ASSISTANT:
                scope = table.text(row, "scope") or "nobody"
                found.skip(place, f"the code {stated} is about what the {scope} says, not about the assistant")
            else:
                found.metrics.append(_metric(found, table, row, place))
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return set(first_cells(beginning(file), ",")) >= _COLUMNS


def _metric(found: Gathering, table: Table, row: Row, place: str) -> MetricDraft:
    stated, words = table.text(row, "id"), table.text(row, "description")
    definition, _, clause = words.replace("\r\n", "\n").partition("\n")
    is_wanted = stated.startswith(_WANTED)
    reason = (
        "its id says that the assistant discourages a harm" if is_wanted else "a code of a study of harm, and no remedy"
    )
    return MetricDraft(
        key=found.metric_key(key_of_id(stated), words, place),
        name=table.text(row, "name") or stated,
        definition=definition.strip(),
        proposal=Proposal("positive" if is_wanted else "negative", reason),
        origin=Origin(table.cell(row, "description"), place),
        interpretive_clause=clause.strip() or None,
        examples_present=_lines(table.text(row, "positive-examples")),
        examples_absent=_lines(table.text(row, "negative-examples")),
        labels={"category": table.text(row, "category")} if table.text(row, "category") else {},
        flags=(REWORD, _CHECK, *wording_flags(definition)),
    )


def _lines(cell: str) -> tuple[str, ...]:
    """One example a line; '[User: ...]' and '[Reason: ...]' before it are the source's and stay."""
    return tuple(dict.fromkeys(line.strip() for line in cell.split("\n") if line.strip()))
