"""The criteria of HealthBench as metric drafts: the sign of their points is the polarity, their size the weight."""

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.draft_keys import key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.polarity_proposals import propose_unwanted, propose_wanted

_MOST_POINTS = 10
_JUSTIFICATION = "(justification:"
_WHOLE_RESPONSE = "instructs a judge about the whole reply: write the one behaviour that counts"
_CLAUSE = "the clause is the source's justification, which explains why: keep what tells a judge what counts"


def metric_of(example: Fields, node: Node, place: str) -> MetricDraft | None:
    """The draft of one criterion, None for one of 0 points; raises FileProblem for points outside the scale."""
    rubric = Fields(example.file, node, f"a criterion of {example.what}")
    words = rubric.text("criterion")
    definition, justification = _parted(words)
    points = rubric.within("points", -_MOST_POINTS, _MOST_POINTS)
    if points is None:
        rubric.refuse(f"points must be a whole number, and are missing in {rubric.what}", node)
    if points == 0:
        return None
    stands = f"worth {points:+d} points"
    proposed = propose_wanted(definition, stands) if points > 0 else propose_unwanted(definition, stands)
    labels = _labels(rubric.texts("tags"), example.texts("example_tags"))
    ideal = ideal_of(example)
    is_placed = bool(ideal) and proposed.proposal.polarity is not None
    return MetricDraft(
        key=key_of_words(definition, *([] if points > 0 else ["unwanted"])),
        name=name_of_words(definition),
        definition=definition,
        proposal=proposed.proposal,
        origin=Origin(words, place),
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


def _labels(tags: tuple[str, ...], example_tags: tuple[str, ...]) -> dict[str, str]:
    """'axis:accuracy' as axis: accuracy; a tag without a colon under 'tag'."""
    labels: dict[str, str] = {}
    for tag in (*tags, *example_tags):
        name, colon, value = tag.partition(":")
        name, value = (name.replace("_", " "), value) if colon else ("tag", tag)
        labels[name] = f"{labels[name]}; {value}" if name in labels else value
    return labels


def ideal_of(example: Fields) -> str | None:
    """The ideal answer of an example, or None."""
    data = example.nested("ideal_completions_data", "ideal_completions_data")
    return data.optional_text("ideal_completion") if data else None
