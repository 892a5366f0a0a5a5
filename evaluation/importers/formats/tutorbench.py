"""TutorBench: the criteria of the rubric in each row become metric drafts, its prompts a scenario draft."""

from collections.abc import Iterator
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import beginning, files_to_read, first_cells, is_or_holds, one_benchmark
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.json_nodes import JsonReader
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.polarity_proposals import propose_unwanted, propose_wanted
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="tutorbench",
    name="TutorBench",
    source=Source("TutorBench", "https://huggingface.co/datasets/ScaleAI/TutorBench"),
    licence="CC BY-NC 4.0",
    sharing="no",
    is_verified=False,
)
_COLUMNS = {"TASK_ID", "PROMPT", "RUBRICS"}
_CRITERION = ("criteria", "criterion", "rubric", "text")
_WEIGHT = ("weight", "points", "score")
_PICTURE = "shows a picture in the source, which a conversation in words cannot"


def describe() -> FormatDescription:
    return FormatDescription("tutorbench", "TutorBench tasks (CSV)", False)


def recognises(path: Path) -> bool:
    """A table of tasks or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one table, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    for file in files_to_read(path, _is_own):
        table = as_table(file, read_csv(file))
        for row in table.rows:
            _add(found, file, table, row)
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return set(first_cells(beginning(file), ",")) >= _COLUMNS


def _add(found: Gathering, file: Path, table: Table, row: Row) -> None:
    place = found.place(file, row.place)
    metrics = [_metric(found, table, row, place, entry) for entry in _criteria(file, table, row)]
    found.metrics += metrics
    messages = [table.text(row, column) for column in ("PROMPT", "FOLLOW_UP_PROMPT") if table.text(row, column)]
    if not messages:
        found.skip(place, "has no prompt, so it makes no scenario; its criteria are kept")
        return
    words = "\n\n".join(messages)
    key = key_of_id(table.text(row, "TASK_ID")) if table.text(row, "TASK_ID") else key_of_words(words)
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=tuple(dict.fromkeys(metric.key for metric in metrics)),
            origin=Origin(words, place),
            title=table.text(row, "SUBJECT") or None,
            anchors=tuple(Anchor(turn, f"Say: {text}") for turn, text in enumerate(messages, start=1)),
            context=_context(table, row),
            flags=tuple(_flags(table, row, len(messages))),
        )
    )


def _criteria(file: Path, table: Table, row: Row) -> list[Fields]:
    """The entries of the JSON document in the cell; raises FileProblem that names the row."""
    cell = table.text(row, "RUBRICS")
    if not cell:
        return []
    try:
        node = JsonReader(file, cell).read()
    except FileProblem as problem:
        raise FileProblem(file, f"{row.place}: RUBRICS {problem.message}", row.line) from None
    entries = node.value if isinstance(node.value, list) else [node]
    return [Fields(file, Node(entry.value, row.line, 1, entry.text, entry.keys), row.place) for entry in entries]


def _metric(found: Gathering, table: Table, row: Row, place: str, entry: Fields) -> MetricDraft:
    words = entry.text(*_CRITERION)
    weight = next((entry.entries[key].value for key in _WEIGHT if entry.has(key)), None)
    weight = float(weight) if isinstance(weight, int | float) and not isinstance(weight, bool) else None
    is_wanted = weight is None or weight > 0
    stands = "a criterion of the rubric" if weight is None else f"a criterion of weight {weight:g}"
    proposed = propose_wanted(words, stands) if is_wanted else propose_unwanted(words, stands)
    key = key_of_words(words, *([] if is_wanted else ["unwanted"]))
    subject = table.text(row, "SUBJECT")
    return MetricDraft(
        key=key if found.has_metric(key) else found.metric_key(key, words, place),
        name=name_of_words(words),
        definition=words,
        proposal=proposed.proposal,
        origin=Origin(words, place),
        weight=abs(weight) if weight is not None else None,
        labels={"subject": subject} if subject else {},
        flags=(draft_flags.REWORD, *proposed.flags),
    )


def _context(table: Table, row: Row) -> str | None:
    pieces = [
        ("Explanation given before", table.text(row, "UC1_INITIAL_EXPLANATION")),
        ("Picture", table.text(row, "IMAGE_URL")),
    ]
    return "\n\n".join(f"{name}: {text}" for name, text in pieces if text) or None


def _flags(table: Table, row: Row, n_messages: int) -> Iterator[str]:
    yield from (
        draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE,
    )  # fmt: skip
    if n_messages == 1:
        yield draft_flags.ONE_MESSAGE
    if table.text(row, "UC1_INITIAL_EXPLANATION"):
        yield draft_flags.FIXED_REPLIES
    if table.text(row, "IMAGE_URL"):
        yield _PICTURE
