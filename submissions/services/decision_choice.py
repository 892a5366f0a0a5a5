"""What an editor chooses on the page of a decision, before any of it counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from django.utils import timezone

from submissions.content import ABOUT_THE_AUTHOR, FIELD_NAMES, text_of
from submissions.models import Decision, Review, Submission
from submissions.rubric import criteria
from submissions.services.rounds import days_of

MOST_POINTS = 30
# What a point can be about: what reviewers and authors both see.
POINT_FIELDS = {name: words for name, words in FIELD_NAMES.items() if name not in ABOUT_THE_AUTHOR}
# A value so low makes a reviewer's comment a proposal for a point.
_WEAK = 2


class Sending(StrEnum):
    """When the letter goes out."""

    SOON = "soon"
    TOMORROW = "tomorrow"
    HOLD = "hold"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to change, or one reason, and the field it is about."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision as it stands in the form; an empty letter stands for the one composed from the rest."""

    kind: str = ""
    points: tuple[Point, ...] = ()
    answer_due: datetime | None = None
    subject: str = ""
    letter: str = ""
    plan: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, decision: Decision) -> Choice:
        """What a kept decision says."""
        points = tuple(Point(one["field"], one["text"]) for one in decision.requests)
        return cls(decision.kind, points, decision.answer_due, decision.subject, decision.letter, decision.plan)

    def requests(self) -> list[dict[str, str]]:
        """The points as a JSON column keeps them; empty ones are left out."""
        return [
            {"field": point.field, "text": text_of(point.text).strip()} for point in self.points if point.text.strip()
        ]


def usual_answer_due(submission: Submission) -> datetime:
    """Until when the author answers, unless an editor says otherwise: the end of that day in UTC."""
    day = timezone.now().astimezone(UTC) + timedelta(days=days_of(submission).answer_days)
    return day.replace(hour=23, minute=59, second=0, microsecond=0)


def release_time(sending: Sending) -> datetime | None:
    """The instant that a way of sending stands for; None for a letter that is held."""
    now = timezone.now()
    if sending is Sending.HOLD:
        return None
    if sending is Sending.TOMORROW:
        day = now.astimezone(UTC) + timedelta(days=1)
        return day.replace(hour=9, minute=0, second=0, microsecond=0)
    return now + timedelta(minutes=30) if sending is Sending.SOON else now


def points_from_reviews(submission: Submission) -> tuple[Point, ...]:
    """Every comment that a reviewer wrote beside a low value, as a point on that question's field."""
    found = []
    for review in sent_reviews(submission):
        polarity = review.assignment.round.revision.text.polarity
        for criterion in criteria(polarity):
            answer = review.answers.get(criterion.key) or {}
            comment, value = str(answer.get("comment") or "").strip(), answer.get("value")
            if comment and isinstance(value, int) and value <= _WEAK:
                found.append(Point(criterion.field, comment))
    return tuple(found[:MOST_POINTS])


def sent_reviews(submission: Submission) -> list[Review]:
    """The reviews of the newest round that were sent, by the reviewers' numbers."""
    newest = submission.rounds.order_by("-number").first()
    if newest is None:
        return []
    sent = Review.objects.filter(assignment__round=newest, sent_at__isnull=False).select_related(
        "assignment__person", "assignment__round__revision", "assignment__round__submission"
    )
    seats = dict(submission.seats.values_list("person_id", "number"))
    return sorted(sent, key=lambda review: seats.get(review.assignment.person_id, 0))
