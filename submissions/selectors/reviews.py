"""Which reviews somebody may read: a reviewer's own first, those of others once it is sent, by pseudonym."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from submissions.models import Assignment, Decision, Review, Submission
from submissions.models.reviews import OPENED
from submissions.naming import Viewing
from submissions.rubric import ABSTAIN, criteria
from submissions.standing import Standing


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One answer with the wording it was given to."""

    name: str
    question: str
    value: int | None
    words: str
    comment: str


@dataclass(frozen=True, slots=True)
class ShownReview:
    """A sent review as one reader may see it; `private_remark` and `advice` are empty for whom they are not meant."""

    round_number: int
    version_number: int
    name: str
    answers: tuple[ShownAnswer, ...]
    for_author: str
    advice: str
    private_remark: str
    sent_at: datetime


def assignment_of(person: Any, submission: Submission) -> Assignment | None:
    """The person's newest assignment whose text they have opened; its round says which version they may read."""
    opened = Assignment.objects.filter(OPENED, round__submission=submission, person=person)
    rows = opened.select_related("round__revision", "round__submission__owner", "round__submission__call", "person")
    return rows.order_by("-round__number").first()


def has_sent_in_newest_round(person: Any, submission: Submission) -> bool:
    """Whether the person's own review of the newest round is in; before that, those of others stay closed."""
    newest = submission.rounds.order_by("-number").first()
    return newest is not None and _sent(submission).filter(assignment__round=newest, assignment__person=person).exists()


def reviews_for(viewing: Viewing) -> list[ShownReview]:
    """The sent reviews that the viewer may read, newest round first, by seat.

    Editors read all with the private remarks. A reviewer reads those of others, without remarks, of every round up to
    the newest one in which they sent their own. An author reads what is for the author, once the round's letter is out.
    """
    return [_shown(review, viewing) for review in _open_to(viewing)]


def _open_to(viewing: Viewing) -> Iterator[Review]:
    viewer, standing, reviews = viewing.viewer, viewing.standing, _sent(viewing.submission)
    if standing is Standing.EDITOR:
        yield from reviews
    elif standing is Standing.REVIEWER:
        own = reviews.filter(assignment__person=viewer).first()
        if own is not None:
            upto = own.assignment.round.number
            yield from reviews.exclude(assignment__person=viewer).filter(assignment__round__number__lte=upto)
    elif standing is Standing.AUTHOR:
        told = Decision.objects.filter(submission=viewing.submission, state=Decision.State.SENT)
        yield from reviews.filter(assignment__round__in=told.values("round"))


def _sent(submission: Submission) -> Any:
    return (
        Review.objects.filter(assignment__round__submission=submission, sent_at__isnull=False)
        .select_related("assignment__person", "assignment__round__revision")
        .order_by("-assignment__round__number", "assignment__pk")
    )


def _shown(review: Review, viewing: Viewing) -> ShownReview:
    round_, standing = review.assignment.round, viewing.standing
    assert review.sent_at is not None
    return ShownReview(
        round_number=round_.number,
        version_number=round_.revision.number,
        name=viewing.name_of(review.assignment.person),
        answers=_answers(review, round_.revision.text.polarity),
        for_author=review.for_author,
        advice="" if standing is Standing.AUTHOR else review.get_advice_display(),
        private_remark=review.private_remark if standing is Standing.EDITOR else "",
        sent_at=review.sent_at,
    )


def _answers(review: Review, polarity: str) -> tuple[ShownAnswer, ...]:
    return tuple(
        _answer(item.name, review.answers[item.key]) for item in criteria(polarity) if review.answers.get(item.key)
    )


def _answer(name: str, stored: dict[str, Any]) -> ShownAnswer:
    value = stored.get("value")
    words = "I cannot judge this" if value == ABSTAIN else str(stored.get("anchor", ""))
    number = value if isinstance(value, int) else None
    return ShownAnswer(name, str(stored.get("question", "")), number, words, str(stored.get("comment", "")))
