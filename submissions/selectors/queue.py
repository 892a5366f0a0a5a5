"""A reviewer's desk: what was asked, what is open, what is sent, and the one next thing."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from submissions.content import Content
from submissions.models import Assignment, Decision, RequestedChange, Review, Reviewer, Submission
from submissions.models.reviews import AssignmentState as AState
from submissions.reviewing import written_in
from submissions.rubric import criteria
from submissions.selectors.areas import area_names
from submissions.selectors.visible import for_reviewing
from submissions.services.assignments import obstacle
from submissions.states import State

LONGEST_SUMMARY = 300
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s")
_OUTCOMES = {
    Decision.Kind.APPROVE: "approved",
    Decision.Kind.REQUEST_CHANGES: "changes requested",
    Decision.Kind.REJECT: "not accepted",
}


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody asks for a review: a title and one sentence, and what stands against it where something does."""

    assignment: Assignment
    public_id: str
    title: str
    polarity: str
    summary: str
    obstacle: str = ""

    @property
    def due_at(self) -> datetime:
        return self.assignment.due_at


@dataclass(frozen=True, slots=True)
class OpenReview:
    """A review to be written."""

    assignment: Assignment
    public_id: str
    title: str
    polarity: str
    areas: str
    round_number: int
    n_answered: int
    n_questions: int
    left_off_at: str
    is_begun: bool
    n_requests: int

    @property
    def due_at(self) -> datetime:
        return self.assignment.due_at


@dataclass(frozen=True, slots=True)
class SentReview:
    """A review that is in, and what became of it as far as its writer may know."""

    public_id: str
    title: str
    sent_at: datetime
    outcome: str


@dataclass(frozen=True, slots=True)
class Queue:
    """Everything on one reviewer's desk. What is closed to them is in no count."""

    next: OpenReview | None
    invitations: list[Invitation]
    open: list[OpenReview]
    sent: list[SentReview]
    most_open: int
    areas: list[str]

    @property
    def n_waiting(self) -> int:
        """How many invitations can be answered."""
        return sum(not item.obstacle for item in self.invitations)

    @property
    def n_total(self) -> int:
        return len(self.sent) + len(self.open) + self.n_waiting


def queue_of(person: Any, *, skipped: Collection[str] = ()) -> Queue:
    """The desk of a reviewer; `skipped` are the public ids that the person does not want as the next thing now."""
    open_reviews = _open_reviews(person)
    wanted = [item for item in open_reviews if item.public_id not in skipped]
    reviewer = Reviewer.objects.filter(person=person).first()
    return Queue(
        next=next(iter(wanted or open_reviews), None),
        invitations=_invitations(person),
        open=open_reviews,
        sent=_sent_reviews(person),
        most_open=reviewer.most_open if reviewer else Reviewer().most_open,
        areas=area_names(reviewer.subareas.values_list("slug", flat=True)) if reviewer else [],
    )


def invitation_of(person: Any, submission: Submission) -> Invitation | None:
    """The person's unanswered invitation to this submission; None without one."""
    asked = _asked(person).filter(round__submission=submission, state=AState.INVITED).order_by("-round__number")
    assignment = asked.first()
    return _invitation(assignment) if assignment is not None else None


def first_sentence(text: str) -> str:
    """The first sentence of a text, cut where it is very long."""
    first = _END_OF_SENTENCE.split(" ".join(text.split()), maxsplit=1)[0]
    return first if len(first) <= LONGEST_SUMMARY else f"{first[: LONGEST_SUMMARY - 1].rstrip()}…"


def _asked(person: Any) -> Any:
    return Assignment.objects.filter(person=person).select_related("round__revision", "round__submission", "person")


def _in_open_rounds(person: Any) -> Any:
    return _asked(person).filter(round__closed_at__isnull=True, round__submission__state=State.IN_REVIEW)


def _invitations(person: Any) -> list[Invitation]:
    asked = _in_open_rounds(person).filter(state=AState.INVITED, answer_by__gte=timezone.now())
    return [_invitation(assignment) for assignment in asked.order_by("answer_by", "pk")]


def _invitation(assignment: Assignment) -> Invitation:
    submission, text = assignment.round.submission, assignment.round.revision.text
    reason = obstacle(assignment.person, submission)
    summary = first_sentence(text.construct)
    return Invitation(assignment, submission.public_id, text.title, text.polarity, summary, reason)


def _open_reviews(person: Any) -> list[OpenReview]:
    allowed = for_reviewing(person)
    rows = _in_open_rounds(person).filter(state=AState.ACCEPTED, round__submission__in=allowed)
    return [_open_review(assignment) for assignment in rows.order_by("due_at", "pk")]


def _open_review(assignment: Assignment) -> OpenReview:
    round_, text = assignment.round, assignment.round.revision.text
    review = Review.objects.filter(assignment=assignment).first()
    written = written_in(review, text.polarity)
    unanswered = [item.name for item in criteria(text.polarity) if not written.answers[item.key].value]
    return OpenReview(
        assignment=assignment,
        public_id=round_.submission.public_id,
        title=text.title,
        polarity=text.polarity,
        areas=_areas(text),
        round_number=round_.number,
        n_answered=written.n_answered,
        n_questions=len(written.answers),
        left_off_at=unanswered[0] if unanswered else "",
        is_begun=review is not None,
        n_requests=requests_before(assignment).count(),
    )


def requests_before(assignment: Assignment) -> Any:
    """What the author was asked to change before the version of this assignment, with the answers sent with it."""
    before = Decision.objects.filter(
        submission=assignment.round.submission, round__number=assignment.round.number - 1, state=Decision.State.SENT
    )
    return RequestedChange.objects.filter(decision__in=before).order_by("decision", "number")


def _areas(text: Content) -> str:
    return ", ".join(area_names(text.subareas))


def _sent_reviews(person: Any) -> list[SentReview]:
    allowed = for_reviewing(person)
    reviews = (
        Review.objects.filter(
            assignment__person=person, sent_at__isnull=False, assignment__round__submission__in=allowed
        )
        .select_related("assignment__round__submission", "assignment__round__revision")
        .order_by("-sent_at", "-pk")
    )
    return [_sent_review(review) for review in reviews]


def _sent_review(review: Review) -> SentReview:
    round_ = review.assignment.round
    assert review.sent_at is not None
    return SentReview(round_.submission.public_id, round_.revision.text.title, review.sent_at, outcome_of(review))


def outcome_of(review: Review) -> str:
    """What became of the version reviewed, from letters that are out only."""
    round_ = review.assignment.round
    state = State(round_.submission.state)
    told = round_.decisions.filter(state=Decision.State.SENT).order_by("-sent_at").first()
    if told is None:
        return "withdrawn by the author" if state is State.WITHDRAWN else "in discussion"
    if told.kind == Decision.Kind.APPROVE and state in (State.PUBLISHED, State.RETIRED):
        return "published"
    return _OUTCOMES[Decision.Kind(told.kind)]
