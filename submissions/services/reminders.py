"""What the clock does for reviews: reminds once a day at most, ends invitations, and tells editors what is late."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.errors import DomainError
from impactbench.common.moments import when
from submissions.addresses import review_of
from submissions.models import Assignment
from submissions.naming import display_name
from submissions.selectors.recipients import editors_of
from submissions.services import decisions, rounds
from submissions.states import State

# Days from the due date on which the clock writes: before it, on it, and after it. Then editors take over.
REVIEW_DAYS = (-3, 0, 3, 7)
ANSWER_DAYS = (-1,)


def release_due_decisions() -> int:
    """Let every letter go whose time has come; how many did. Safe to run twice, and beside others."""
    return sum(decisions.release(one).sent_at is not None for one in decisions.due())


def keep_reviews_going(now: datetime | None = None) -> dict[str, int]:
    """End what was not answered, remind whom it concerns today, tell editors what is late: how many of each."""
    now = now or timezone.now()
    return {"expired": _expire(now), "reminded": _remind(now), "told": _tell_editors(now)}


def _expire(now: datetime) -> int:
    unanswered = _unfinished().filter(state=Assignment.State.INVITED, answer_by__lte=now)
    return sum(_expire_one(assignment) for assignment in unanswered)


@transaction.atomic
def _expire_one(assignment: Assignment) -> bool:
    if not rounds.expire(assignment):
        return False
    what = "has not said yes or no in time. Ask somebody else"
    _tell(assignment, "invitation-expired", "an invitation was not answered", what)
    return True


def _remind(now: datetime) -> int:
    n = 0
    for assignment in _unfinished():
        if is_day_for(assignment, now):
            try:
                n += rounds.remind(assignment)
            except DomainError:  # finished or cancelled a moment ago
                continue
    return n


def is_day_for(assignment: Assignment, now: datetime) -> bool:
    """Whether the clock reminds of this assignment today; nobody is reminded of what they were asked today."""
    if assignment.asked_at.date() == now.date():
        return False
    answers = assignment.state == Assignment.State.INVITED
    moment, days = (assignment.answer_by, ANSWER_DAYS) if answers else (assignment.due_at, REVIEW_DAYS)
    return (now.date() - moment.date()).days in days


def _tell_editors(now: datetime) -> int:
    late = _unfinished().filter(state=Assignment.State.ACCEPTED, due_at__lt=now - timedelta(days=1))
    return sum(
        _tell(one, "review-overdue", "a review is late", f"has not sent the review, due {one.due_at:%d %B %Y}")
        for one in late
    )


@transaction.atomic
def _tell(assignment: Assignment, event: str, subject: str, what: str) -> int:
    """One letter to each editor who may know; again only for another due date."""
    submission, n = assignment.round.submission, 0
    for editor in editors_of(submission):
        who = mail.defuse(display_name(assignment.person, editor, submission))
        mail.post(
            event=event,
            kind="reminder",
            to=editor,
            about=assignment,
            subject=f"{submission.public_id}: {subject}",
            text=f"{who} {what}.\n\nDue: {when(assignment.due_at, editor)}\n\n{review_of(submission)}\n",
            round=f"{assignment.due_at:%Y-%m-%d %H:%M}",
        )
        n += 1
    return n


def _unfinished() -> QuerySet[Assignment]:
    at_work = Q(state__in=rounds.UNFINISHED, round__closed_at=None, round__submission__state=State.IN_REVIEW)
    return Assignment.objects.filter(at_work).select_related("person", "round__submission", "round__revision")
