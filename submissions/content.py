"""What an expert writes: the three components of a submission as plain values (ImpactBench paper, section 3.2.1).

A draft may hold anything, half-written or wrong; `submissions.checks` says what is missing before it can be sent, and
`submissions.composition` gives each field its one place in the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

# More than a person types, less than would trouble anybody; longer text is kept up to here and reported.
LONGEST_TEXT = 20_000
MOST_ITEMS = 20
# How many empty lines a new form shows.
FIRST_LINES = {
    "sources": 2, "demographics": 1, "messages": 1, "questions": 1, "examples_present": 2, "examples_absent": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A source that the justification rests on: a reference to read, and its DOI or web address as typed."""

    reference: str = ""
    link: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.reference.strip() or self.link.strip())


@dataclass(frozen=True, slots=True)
class Demographic:
    """One fact about the person who asks; `told` says whether the AI being tested is told or has to infer it."""

    attribute: str = ""
    value: str = ""
    told: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.value.strip()


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message that brings the behaviour out, and the turn it is aimed at, as typed (a number from 1)."""

    text: str = ""
    turn: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Content:
    """A whole submission as its author wrote it. Equal content is equal text, so versions compare by `==`."""

    title: str = ""
    # Justification
    construct: str = ""
    sources: tuple[Source, ...] = ()
    differs: str = ""
    relevance: str = ""
    subareas: tuple[str, ...] = ()
    # Scenario details
    demographics: tuple[Demographic, ...] = ()
    known: str = ""
    unknown: str = ""
    messages: tuple[UserMessage, ...] = ()
    # Scoring criteria
    definition: str = ""
    polarity: str = ""
    questions: tuple[str, ...] = ()
    hard_cases: str = ""
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()
    # Sending
    credit: str = ""
    licence: str = ""
    not_reviewers: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Content:
        """The content kept in a database column; unknown keys are left out, missing ones are empty."""
        return cls(**{name: read(stored.get(name)) for name, read in _READERS.items()})

    def to_json(self) -> dict[str, Any]:
        """The content as JSON; `from_json` gives it back unchanged."""
        return asdict(self)

    def without_empty_lines(self) -> Content:
        """The content as it is sent: text trimmed, empty lines of lists gone."""
        return Content(**{item.name: _tidy(getattr(self, item.name)) for item in fields(self)})


FIELDS = tuple(item.name for item in fields(Content))
# What a person calls each field, in the order of the form.
FIELD_NAMES = {
    "title": "Name of the metric",
    "construct": "What it measures",
    "sources": "Sources",
    "differs": "How it differs",
    "relevance": "Why it matters",
    "subareas": "Areas",
    "demographics": "Who is asking",
    "known": "What the AI knows",
    "unknown": "What it does not know",
    "messages": "What the user says",
    "definition": "The behaviour",
    "polarity": "Good or bad",
    "questions": "Question to the judge",
    "hard_cases": "Hard cases",
    "examples_present": "Examples, present",
    "examples_absent": "Examples, absent",
    "credit": "Your name",
    "licence": "Licence",
    "not_reviewers": "Who should not review",
}
# Reviewers never read these, and no comparison of versions shows them: they say who the author is.
ABOUT_THE_AUTHOR = frozenset({"credit", "not_reviewers"})


def text_of(value: object) -> str:
    """Any value as text that the database can hold: no NUL, line ends as \\n, cut at `LONGEST_TEXT`."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")[:LONGEST_TEXT]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text_of(item) for item in _items(value))


def _sources(value: object) -> tuple[Source, ...]:
    return tuple(Source(text_of(row.get("reference")), text_of(row.get("link"))) for row in _rows(value))


def _demographics(value: object) -> tuple[Demographic, ...]:
    return tuple(
        Demographic(text_of(row.get("attribute")), text_of(row.get("value")), row.get("told") is True)
        for row in _rows(value)
    )


def _messages(value: object) -> tuple[UserMessage, ...]:
    return tuple(UserMessage(text_of(row.get("text")), text_of(row.get("turn"))) for row in _rows(value))


def _items(value: object) -> list[Any]:
    return list(value)[:MOST_ITEMS] if isinstance(value, list | tuple) else []


def _rows(value: object) -> Iterable[Mapping[str, Any]]:
    return (row for row in _items(value) if isinstance(row, Mapping))


def _tidy(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, tuple):
        return value
    if value and not isinstance(value[0], str):
        return tuple(_tidy_row(row) for row in value if not row.is_empty)
    return tuple(item.strip() for item in value if item.strip())


def _tidy_row(row: Any) -> Any:
    kept = asdict(row)
    return type(row)(**{name: item.strip() if isinstance(item, str) else item for name, item in kept.items()})


_SPECIAL: dict[str, Callable[[object], Any]] = {
    "sources": _sources,
    "demographics": _demographics,
    "messages": _messages,
    "subareas": _texts,
    "questions": _texts,
    "examples_present": _texts,
    "examples_absent": _texts,
}
_READERS: dict[str, Callable[[object], Any]] = {name: _SPECIAL.get(name, text_of) for name in FIELDS}
