"""Makes metric drafts of the criteria of a Weval prompt."""

from evaluation.importers.formats.criterion_wording import negation
from evaluation.importers.formats.draft_flags import IDEAL_AS_EXAMPLE
from evaluation.importers.formats.draft_keys import key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, Proposal
from evaluation.importers.formats.polarity_proposals import Proposed, propose_unwanted, propose_wanted
from evaluation.importers.formats.weval_points import Alternatives, Criterion

_ONE_OF = "At least one of the following:"


def metric_of(
    point: Criterion | Alternatives, section: str, *, is_wanted: bool, prompt: str, ideal: str | None
) -> MetricDraft:
    """The draft of one criterion or of one demand with alternatives; `section` is the list's key in the source.

    The key is made from the words and from whether they are wanted, so it stays when other criteria change.
    """
    if isinstance(point, Criterion):
        words, definition, criteria = point.text, point.text.strip(), [point]
        proposed = _propose(definition, section, is_wanted)
    else:
        words, definition = _words(point), _definition(point)
        criteria = [criterion for way in point.ways for criterion in way]
        proposed = _propose_alternatives(point, section, is_wanted)
    polarity = proposed.proposal.polarity
    has_example = bool(ideal) and polarity is not None
    return MetricDraft(
        key=key_of_words(definition, *([] if is_wanted else ["unwanted"])),
        name=name_of_words(criteria[0].text if isinstance(point, Criterion) else f"One of: {_first_ways(point)}"),
        definition=definition,
        proposal=proposed.proposal,
        origin=Origin(words, f"line {point.line}"),
        examples_present=(ideal,) if ideal and polarity == "positive" else (),
        examples_absent=(ideal,) if ideal and polarity == "negative" else (),
        citations=tuple(dict.fromkeys(cited for criterion in criteria for cited in criterion.citations)),
        weight=point.weight if isinstance(point, Criterion) else None,
        labels={"listed under": section, "prompt": prompt, **_weights(point)},
        flags=(*proposed.flags, *point.flags, *([IDEAL_AS_EXAMPLE] if has_example else [])),
    )


def _propose(definition: str, section: str, is_wanted: bool) -> Proposed:
    stands = f"listed under {section!r}"
    return propose_wanted(definition, stands) if is_wanted else propose_unwanted(definition, stands)


def _propose_alternatives(point: Alternatives, section: str, is_wanted: bool) -> Proposed:
    n_ways = len(point.ways)
    reason = f"listed under {section!r} as alternatives, of which one is enough"
    flags = [f"joins {n_ways} alternatives into one metric: check that one of them is enough"]
    found = next((found for way in point.ways for criterion in way if (found := negation(criterion.text))), None)
    if found:
        flags.append(f"negative wording ({found.phrase!r}) in one of its alternatives")
    if not is_wanted:
        flags.append("alternatives that are not wanted: check whether one of them is enough to fail")
    return Proposed(Proposal("positive" if is_wanted else "negative", reason), tuple(flags))


def _definition(point: Alternatives) -> str:
    ways = ["; and ".join(criterion.text.strip().rstrip(".") for criterion in way) for way in point.ways]
    return ways[0] if len(ways) == 1 else "\n".join([_ONE_OF, *(f"- {way}" for way in ways)])


def _words(point: Alternatives) -> str:
    """The source's words, one criterion a line, a blank line between the ways."""
    return "\n\n".join("\n".join(criterion.text for criterion in way) for way in point.ways)


def _first_ways(point: Alternatives) -> str:
    return " / ".join(dict.fromkeys(way[0].text.strip().rstrip(".") for way in point.ways))


def _weights(point: Criterion | Alternatives) -> dict[str, str]:
    if isinstance(point, Criterion):
        return {}
    weights = [criterion.weight for way in point.ways for criterion in way]
    if not any(weights):
        return {}
    return {"weights": ", ".join("none" if weight is None else f"{weight:g}" for weight in weights)}
