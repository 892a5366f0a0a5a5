"""The reviews of one round beside each other, as words beside numbers; for editors."""

from __future__ import annotations

from dataclasses import dataclass

from submissions.models import Review, Submission
from submissions.naming import pseudonym
from submissions.rubric import ABSTAIN, criteria
from submissions.services.decision_choice import sent_reviews
from submissions.services.decision_letters import meaning_of
from submissions.standing import Involved


@dataclass(frozen=True, slots=True)
class Cell:
    """What one reviewer said to one question; `value` is None where they could not judge."""

    who: str
    value: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One question; `apart` is how far the values are from each other."""

    name: str
    cells: tuple[Cell, ...]
    apart: int


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All of it: who, the lines, what each advises, and who left a remark for the editors."""

    who: tuple[str, ...]
    lines: tuple[Line, ...]
    advice: tuple[Cell, ...]
    remarks_from: tuple[str, ...]


def side_by_side(submission: Submission) -> SideBySide:
    """The sent reviews of the newest round."""
    reviews = sent_reviews(submission)
    involved = Involved(submission)
    names = tuple(pseudonym(review.assignment.person, involved) for review in reviews)
    polarity = reviews[0].assignment.round.revision.text.polarity if reviews else ""
    lines = []
    for criterion in criteria(polarity) if reviews else ():
        cells = tuple(
            _cell(name, review, criterion.key, criterion.anchors) for name, review in zip(names, reviews, strict=True)
        )
        values = [cell.value for cell in cells if cell.value is not None]
        lines.append(Line(criterion.name, cells, max(values) - min(values) if values else 0))
    advice = tuple(
        Cell(name, None, Review.Advice(review.advice).label if review.advice else "none")
        for name, review in zip(names, reviews, strict=True)
    )
    remarks = tuple(name for name, review in zip(names, reviews, strict=True) if review.private_remark.strip())
    return SideBySide(names, tuple(lines), advice, remarks)


def _cell(who: str, review: Review, key: str, anchors: tuple[str, ...]) -> Cell:
    answer = review.answers.get(key) or {}
    value = answer.get("value")
    if isinstance(value, int):
        return Cell(who, value, meaning_of(answer, anchors))
    return Cell(who, None, "could not judge" if value == ABSTAIN else "no answer")
