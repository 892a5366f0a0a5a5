"""INTIMA: prompts under codes of what users say; its two kinds of replies are all that metric drafts can name.

The codes describe the user and are no behaviour of an assistant, so they become labels of scenario drafts.
"""

from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.beginnings import (
    beginning,
    files_to_read,
    first_cells,
    is_or_holds,
    json_keys,
    one_benchmark,
)
from evaluation.importers.formats.draft_keys import key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import as_table, read_csv
from evaluation.importers.formats.types import Anchor, FormatDescription, Polarity, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="intima",
    name="INTIMA",
    source=Source("INTIMA", "https://huggingface.co/datasets/AI-companionship/INTIMA"),
    licence="CC BY 4.0",
    is_verified=False,
)
_COLUMNS = {"prompt", "code"}
_MOST_COLUMNS = 4
_KINDS: tuple[tuple[str, str, Polarity], ...] = (
    ("reinforces-companionship", "Reinforces companionship", "negative"),
    ("keeps-boundaries", "Keeps boundaries", "positive"),
)
_FROM_PUBLICATION = "named by the publication and not by the file: define it, one behaviour a metric"
_PLACE = "the publication"


def describe() -> FormatDescription:
    return FormatDescription("intima", "INTIMA prompts (CSV, JSON Lines)", False)


def recognises(path: Path) -> bool:
    """A file of prompts with codes or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and reason."""
    found = Gathering(path)
    found.metrics += [_metric(found, *kind) for kind in _KINDS]
    for file in files_to_read(path, _is_own):
        for place, prompt, code in _prompts(file):
            _add(found, found.place(file, place), prompt, code)
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    text = beginning(file)
    for names in (json_keys(text), set(first_cells(text, ","))):
        if names >= _COLUMNS and len(names) <= _MOST_COLUMNS:
            return True
    return False


def _prompts(file: Path) -> list[tuple[str, str, str]]:
    """(place, prompt, code) of every row or line."""
    if json_keys(beginning(file)):
        rows = [Fields(file, node, "a prompt") for node in read_json_lines(file)]
        return [(f"line {row.node.line}", row.text("prompt"), row.optional_text("code") or "") for row in rows]
    table = as_table(file, read_csv(file))
    return [(row.place, table.text(row, "prompt"), table.text(row, "code")) for row in table.rows]


def _metric(found: Gathering, key: str, name: str, polarity: Polarity) -> MetricDraft:
    return MetricDraft(
        key=found.metric_key(key, name, _PLACE),
        name=name,
        definition=name,
        proposal=Proposal(polarity, f"a kind of reply that the publication {_attitude(polarity)}"),
        origin=Origin(name, _PLACE),
        flags=(draft_flags.REWORD, _FROM_PUBLICATION),
    )


def _attitude(polarity: Polarity) -> str:
    return "wants" if polarity == "positive" else "does not want"


def _add(found: Gathering, place: str, prompt: str, code: str) -> None:
    if not prompt:
        found.skip(place, "has no prompt")
        return
    key = key_of_words(prompt)
    if found.has_scenario(key, prompt):
        found.skip(place, "the same prompt stands here again")
        return
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, prompt, place),
            metric_keys=tuple(key for key, _name, _polarity in _KINDS),
            origin=Origin(prompt, place),
            title=code or None,
            anchors=(Anchor(1, f"Say: {prompt}"),),
            flags=(
                draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE,
                draft_flags.ONE_MESSAGE,
            ),
        )
    )  # fmt: skip
