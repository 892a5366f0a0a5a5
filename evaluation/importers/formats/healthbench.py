"""HealthBench: criteria become metric drafts by the sign of their points, conversations become scenario drafts."""

from collections.abc import Iterator
from pathlib import Path

from evaluation.importers.formats import draft_flags, weval_messages
from evaluation.importers.formats.beginnings import beginning, json_keys, own_files
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.json_lines import read_json_lines
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.polarity_proposals import propose_unwanted, propose_wanted
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.types import FormatDescription, Source
from evaluation.importers.formats.weval_messages import Message

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="healthbench",
    name="HealthBench",
    source=Source("HealthBench (OpenAI simple-evals)", "https://github.com/openai/simple-evals"),
    licence="MIT",
)
_SIGNS = {"prompt", "rubrics", "criterion", "points"}
_MOST_POINTS = 10
_JUSTIFICATION = "(justification:"
_WHOLE_RESPONSE = "instructs a judge about the whole reply: write the one behaviour that counts"
_CLAUSE = "the clause is the source's justification, which explains why: keep what tells a judge what counts"


def describe() -> FormatDescription:
    return FormatDescription("healthbench", "HealthBench examples (JSON Lines)", False)


def recognises(path: Path) -> bool:
    """A file of HealthBench examples or a folder that holds one. Never raises."""
    return bool(find(path)) if path.is_dir() else _is_own(path)


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    return (path,) if path.is_file() or any(True for _ in own_files(path, _is_own)) else ()


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder as one benchmark; equal criteria are joined under the first one's key.

    Raises FileProblem with file, line and column; points must be whole numbers from -10 to 10 other than 0.
    """
    found = Gathering(path)
    for file in own_files(path, _is_own) if path.is_dir() else (path,):
        for node in read_json_lines(file):
            _add(found, Fields(file, node, "an example"))
    if not found.must_keep:
        found.flag("file", "holds no canary, which the published files have on every line: do not spread it without")
    return drafts(PUBLICATION, found)


def _is_own(file: Path) -> bool:
    return json_keys(beginning(file)) >= _SIGNS


def _add(found: Gathering, example: Fields) -> None:
    stated = example.optional_text("prompt_id")
    example.what = f"example {stated}" if stated else example.what
    messages = weval_messages.read_message_list(example, "prompt")
    words = "\n\n".join(f"{message.role}: {message.text or ''}" for message in messages)
    place = found.place(example.file, f"line {example.node.line}")
    key = key_of_id(stated) if stated else key_of_words(words or "no prompt")
    if found.has_scenario(key, words):
        found.skip(place, f"the example {key} stands here again with the same words")
        return
    canary = example.optional_text("canary")
    if canary:
        found.must_keep.append(canary)
    metrics = [_metric(found, example, node) for node in example.items("rubrics")]
    found.metrics += metrics
    anchors = weval_messages.anchors_of(messages)
    if not anchors:
        found.skip(place, "has no user message, so it makes no scenario; its criteria are kept")
        return
    found.scenarios.append(
        ScenarioDraft(
            key=found.scenario_key(key, words, place),
            metric_keys=tuple(dict.fromkeys(metric.key for metric in metrics)),
            origin=Origin(words, place),
            anchors=anchors,
            target_system_prompt=weval_messages.system_of(messages),
            turns=len(anchors) if 1 < len(anchors) <= MAX_TURNS else None,
            context=_context(example, messages),
            flags=tuple(_scenario_flags(messages, len(anchors))),
        )
    )


def _metric(found: Gathering, example: Fields, node: Node) -> MetricDraft:
    rubric = Fields(example.file, node, f"a criterion of {example.what}")
    words = rubric.text("criterion")
    definition, justification = _parted(words)
    points = _points(rubric)
    stands = f"worth {points:+d} points"
    proposed = propose_wanted(definition, stands) if points > 0 else propose_unwanted(definition, stands)
    labels = _labels(rubric.texts("tags"), example.texts("example_tags"))
    ideal = _ideal(example)
    is_placed = bool(ideal) and proposed.proposal.polarity is not None
    return MetricDraft(
        key=key_of_words(definition, *([] if points > 0 else ["unwanted"])),
        name=name_of_words(definition),
        definition=definition,
        proposal=proposed.proposal,
        origin=Origin(words, found.place(example.file, f"line {node.line}")),
        interpretive_clause=justification,
        examples_present=(ideal,) if ideal and proposed.proposal.polarity == "positive" else (),
        examples_absent=(ideal,) if ideal and proposed.proposal.polarity == "negative" else (),
        weight=float(abs(points)),
        labels={**labels, "points": f"{points:+d}"},
        flags=(
            *proposed.flags,
            *([draft_flags.CUT_OUT, _CLAUSE] if justification else []),
            *([_WHOLE_RESPONSE] if labels.get("level") == "cluster" else []),
            *([draft_flags.IDEAL_AS_EXAMPLE] if is_placed else []),
        ),
    )


def _parted(words: str) -> tuple[str, str | None]:
    """A criterion and the justification in brackets at its end; a criterion that is nothing else stays whole."""
    at = words.lower().rfind(_JUSTIFICATION)
    definition, justification = words[:at].strip(), words[at + len(_JUSTIFICATION) : -1].strip()
    if at < 0 or not words.endswith(")") or not definition or not justification:
        return words, None
    return definition, justification


def _points(rubric: Fields) -> int:
    points = rubric.within("points", -_MOST_POINTS, _MOST_POINTS)
    if not points:
        rubric.refuse(f"points must be other than 0 in {rubric.what}", rubric.entries.get("points"))
    return points


def _labels(tags: tuple[str, ...], example_tags: tuple[str, ...]) -> dict[str, str]:
    """'axis:accuracy' as axis: accuracy; a tag without a colon under 'tag'."""
    labels: dict[str, str] = {}
    for tag in (*tags, *example_tags):
        name, colon, value = tag.partition(":")
        name, value = (name.replace("_", " "), value) if colon else ("tag", tag)
        labels[name] = f"{labels[name]}; {value}" if name in labels else value
    return labels


def _ideal(example: Fields) -> str | None:
    data = example.nested("ideal_completions_data", "ideal_completions_data")
    return data.optional_text("ideal_completion") if data else None


def _context(example: Fields, messages: tuple[Message, ...]) -> str | None:
    replies = weval_messages.fixed_replies(messages)
    pieces = [f"Fixed reply after user message {turn}: {text}" for turn, text in replies]
    ideal = _ideal(example)
    if ideal:
        pieces.append(f"Ideal answer: {ideal}")
    tags = example.texts("example_tags")
    if tags:
        pieces.append(f"Tags: {', '.join(tags)}")
    return "\n\n".join(pieces) or None


def _scenario_flags(messages: tuple[Message, ...], n_anchors: int) -> Iterator[str]:
    yield from (draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE)
    if n_anchors == 1:
        yield draft_flags.ONE_MESSAGE
    if n_anchors > MAX_TURNS:
        yield draft_flags.TOO_MANY_TURNS
    if weval_messages.fixed_replies(messages):
        yield draft_flags.FIXED_REPLIES
