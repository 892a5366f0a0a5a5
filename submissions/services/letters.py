"""Letters from templates: each value says whose words it is, and what people wrote is made harmless."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import Any

from impactbench.common.mail import defuse
from submissions.models import Seat, Submission

LONGEST_SUBJECT = 200
SIGNATURE = "The editors of ImpactBench"


class Ours(str):
    """Text that the platform made: dates, addresses, numbers, fixed words."""

    __slots__ = ()


class Theirs(str):
    """Text that a person wrote; goes through `defuse`, line by line."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """What arrives: one line and a text."""

    subject: str
    text: str


def fill(template: str, **values: Ours | Theirs) -> str:
    """The template with its `$names` replaced, in one pass: what people wrote is never read as a template.

    Raises KeyError for a name without a value and TypeError for a value that does not say whose words it is.
    """
    return Template(template).substitute({name: _harmless(value) for name, value in values.items()})


def letter(subject: str, text: str, **values: Ours | Theirs) -> Letter:
    """A letter from the templates of its subject and its text; a subject that grows too long is cut."""
    line = " ".join(fill(subject, **values).split())
    cut = line if len(line) <= LONGEST_SUBJECT else f"{line[: LONGEST_SUBJECT - 1]}…"
    return Letter(cut, fill(text, **values).strip() + f"\n\n{SIGNATURE}\n")


def reviewers_named_in(text: str, submission: Submission) -> list[str]:
    """The pseudonyms of the reviewers of this submission whose name or address stands in the text."""
    words = " ".join(text.casefold().split())
    seats = Seat.objects.filter(submission=submission).select_related("person")
    return [f"Reviewer {seat.number}" for seat in seats if any(mark in words for mark in _marks(seat.person))]


def _marks(person: Any) -> list[str]:
    """What gives a person away: the whole name and the address, also in the form that letters give an address."""
    marks = (" ".join(person.name.casefold().split()), person.email.casefold(), defuse(person.email).casefold())
    return [mark for mark in marks if len(mark) > 2]


def _harmless(value: Ours | Theirs) -> str:
    if isinstance(value, Theirs):
        return "\n".join(defuse(line) for line in value.splitlines()).strip()
    if isinstance(value, Ours):
        return str(value)
    raise TypeError("say whose words a value of a letter is: Ours or Theirs")
