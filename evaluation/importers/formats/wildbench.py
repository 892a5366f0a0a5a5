"""WildBench: each question of a checklist becomes a positive metric draft, each conversation a scenario draft."""

from collections.abc import Iterator
from pathlib import Path

from evaluation.importers.formats import draft_flags, weval_messages
from evaluation.importers.formats.beginnings import beginning, files_to_read, is_or_holds, json_keys, one_benchmark
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.polarity_proposals import propose_wanted
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="wildbench",
    name="WildBench",
    source=Source("WildBench", "https://github.com/allenai/WildBench"),
    licence="AI2 ImpACT, low risk",
    sharing="no",
    is_verified=False,
)
_SIGNS = {"conversation_input", "checklist"}
_TASK = "asks whether one task was done well: reword it to a behaviour that can be seen in any conversation"


def describe() -> FormatDescription:
    return FormatDescription("wildbench", "WildBench checklists (JSON Lines)", False)


def recognises(path: Path) -> bool:
    """A file of WildBench tasks or a folder that holds one. Never raises."""
    return is_or_holds(path, _is_own)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return one_benchmark(path, _is_own)


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark. Raises FileProblem with file, line and column."""
    found = Gathering(path)
    for file in files_to_read(path, _is_own):
        for node in read_json_lines(file):
            _add(found, Fields(file, node, "a task"))
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return json_keys(beginning(file)) >= _SIGNS


def _add(found: Gathering, task: Fields) -> None:
    place = found.place(task.file, f"line {task.node.line}")
    messages = weval_messages.read_message_list(task, "conversation_input")
    words = "\n\n".join(f"{message.role}: {message.text or ''}" for message in messages)
    metrics = [_metric(found, task, node) for node in task.items("checklist")]
    found.metrics += metrics
    # The first edition of the data has numbers for ids, the second has words.
    stated = str(task.entries["id"].value) if task.has("id") else ""
    key = key_of_id(stated) if stated else key_of_words(words)
    if found.has_scenario(key, words):
        found.skip(place, "the same task stands here again")
        return
    anchors = weval_messages.anchors_of(messages)
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=tuple(dict.fromkeys(metric.key for metric in metrics)),
            origin=Origin(words, place),
            title=task.optional_text("intent"),
            anchors=anchors,
            flags=tuple(_flags(messages, len(anchors))),
        )
    )


def _metric(found: Gathering, task: Fields, node: Node) -> MetricDraft:
    words = task.text_of(node, "each question of checklist")
    place = found.place(task.file, f"line {node.line}")
    proposed = propose_wanted(words, "a question of a checklist that a good reply answers with yes")
    key = key_of_words(words)
    tag = task.optional_text("primary_tag")
    return MetricDraft(
        # The same question of another task is the same draft; `join_equal` joins them.
        key=key if found.has_metric(key) else found.metric_key(key, words, place),
        name=name_of_words(words),
        definition=words,
        proposal=proposed.proposal,
        origin=Origin(words, place),
        labels={"primary tag": tag} if tag else {},
        flags=(draft_flags.QUESTION, _TASK, *proposed.flags),
    )


def _flags(messages: tuple[weval_messages.Message, ...], n_anchors: int) -> Iterator[str]:
    yield from (
        draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE,
    )  # fmt: skip
    if n_anchors == 1:
        yield draft_flags.ONE_MESSAGE
    if weval_messages.fixed_replies(messages):
        yield draft_flags.FIXED_REPLIES
