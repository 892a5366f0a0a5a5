"""What one draft of a source file says while it is worked on, and the submission that it becomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from evaluation.importers.formats.draft_types import MetricDraft
from submissions.checks import Problem, problems
from submissions.composition import MOST_TURNS
from submissions.content import MOST_ITEMS, Content, Demographic, Source, UserMessage, text_of

# Asked of the judge where nothing more exact was written: the definition says what the behaviour is.
USUAL_QUESTION = "Does the assistant show the behaviour that the definition describes?"
_SPOKEN = "Say: "


@dataclass(frozen=True, slots=True)
class RowText:
    """A metric draft as it reads now; `scenario` is the key of the source's scenario that its submission plays."""

    name: str = ""
    definition: str = ""
    polarity: str = ""
    construct: str = ""
    question: str = USUAL_QUESTION
    hard_cases: str = ""
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    scenario: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RowText:
        """What `to_json` gave; missing keys are empty."""
        stated: dict[str, Any] = {item.name: stored.get(item.name, item.default) for item in fields(cls)}
        values: dict[str, Any] = {n: tuple(value) if isinstance(value, list) else value for n, value in stated.items()}
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        values = ((item.name, getattr(self, item.name)) for item in fields(self))
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


@dataclass(frozen=True, slots=True)
class Shared:
    """What all submissions of one import have in common, as an editor wrote it once."""

    subareas: tuple[str, ...] = ()
    relevance: str = ""
    reference: str = ""
    link: str = ""
    credit: str = "unnamed"
    licence: str = ""
    # Where the source's licence does not say so: an editor vouches that the words are free, or new.
    may_share: bool = False

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Shared:
        """What `to_json` gave; missing keys are empty."""
        values = {item.name: stored.get(item.name, item.default) for item in fields(cls)}
        return cls(**{**values, "subareas": tuple(values["subareas"])})

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return {**asdict(self), "subareas": list(self.subareas)}


def text_of_draft(draft: MetricDraft, scenario: str) -> RowText:
    """A metric draft as it was read; the source's words, and nothing besides but the usual question to the judge."""
    return RowText(
        name=text_of(draft.name),
        definition=text_of(draft.definition),
        polarity=draft.proposal.polarity or "",
        construct=text_of(draft.rationale),
        hard_cases=text_of(draft.interpretive_clause),
        examples_present=tuple(map(text_of, draft.examples_present)),
        examples_absent=tuple(map(text_of, draft.examples_absent)),
        citations=tuple(map(text_of, draft.citations)),
        scenario=scenario,
    )


def merged(first: RowText, others: Sequence[RowText]) -> RowText:
    """The first with the examples and citations of all; its words stay, so that a person decides on them."""
    rows = (first, *others)

    def once(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(text for row in rows for text in getattr(row, name)))[:MOST_ITEMS]

    return replace(
        first,
        examples_present=once("examples_present"),
        examples_absent=once("examples_absent"),
        citations=once("citations"),
    )


def content_of(text: RowText, shared: Shared, *, about: str, scenario: Mapping[str, Any] | None) -> Content:
    """The submission: `about` is what the source says of the whole benchmark, `scenario` a scenario draft as read."""
    return Content(
        title=text.name,
        construct=text.construct or text_of(about),
        sources=_sources(text, shared),
        relevance=shared.relevance,
        subareas=shared.subareas,
        demographics=_demographics(scenario or {}),
        unknown=text_of((scenario or {}).get("persona")),
        messages=_messages(scenario or {}),
        definition=text.definition,
        polarity=text.polarity,
        questions=(text.question,) if text.question else (),
        hard_cases=text.hard_cases,
        examples_present=text.examples_present,
        examples_absent=text.examples_absent,
        credit=shared.credit,
        licence=shared.licence,
    )


def renewed(published: Content, before: Content, now: Content) -> Content:
    """The published text with what a row says otherwise than it did when it was sent, where it says something."""
    names = [item.name for item in fields(Content)]
    changed = [name for name in names if getattr(now, name) and getattr(now, name) != getattr(before, name)]
    return replace(published, **{name: getattr(now, name) for name in changed})


def missing_in(content: Content, known_subareas: Collection[str]) -> tuple[list[Problem], list[Problem]]:
    """What keeps it from being sent: what only this row lacks, and what all rows of its import lack."""
    found = problems(content, known_subareas=known_subareas)
    common = ("subareas", "relevance", "licence", "credit", "sources")
    return [one for one in found if one.field not in common], [one for one in found if one.field in common]


def _sources(text: RowText, shared: Shared) -> tuple[Source, ...]:
    own = [Source(shared.reference, shared.link)] if shared.reference or shared.link else []
    return (*own, *(Source(citation) for citation in text.citations))[:MOST_ITEMS]


def _demographics(scenario: Mapping[str, Any]) -> tuple[Demographic, ...]:
    age = text_of(scenario.get("source_age"))
    return (Demographic("Age", age),) if age else ()


def _messages(scenario: Mapping[str, Any]) -> tuple[UserMessage, ...]:
    """What the source's user says, as far as a conversation goes; the rest stays with the source."""
    anchors = [anchor for anchor in scenario.get("anchors") or () if anchor["turn"] <= MOST_TURNS]
    spoken = [(text_of(anchor["objective"]).removeprefix(_SPOKEN), str(anchor["turn"])) for anchor in anchors]
    return tuple(UserMessage(words, turn) for words, turn in spoken)[:MOST_ITEMS]
