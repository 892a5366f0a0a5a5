"""Keeps and sends reviews: every version is checked against the one the form was opened on, nothing is overwritten."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.addresses import review_of
from submissions.models import Assignment, Decision, Review
from submissions.models.reviews import AssignmentState as AState
from submissions.naming import pseudonym
from submissions.reviewing import ReviewProblem, ReviewText, problems, to_stored, written_in
from submissions.rubric import RUBRIC_VERSION
from submissions.selectors.recipients import editors_of
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Involved, Standing, standing_of
from submissions.states import State


class StaleReview(DomainError):
    """The review was saved elsewhere since the form was opened; carries what is stored now."""

    def __init__(self, review: Review) -> None:
        super().__init__("This review was changed in another window. Both texts are kept; choose what stays.")
        self.review = review


class UnfinishedReview(DomainError):
    """The review is stored, but something is missing before it can be sent."""

    def __init__(self, review: Review, found: list[ReviewProblem]) -> None:
        super().__init__("Your review is saved, but not sent. Something is missing.")
        self.review = review
        self.problems = found


def why_closed(assignment: Assignment) -> str:
    """Why nothing can be written to this review any more, in a sentence; '' while it can."""
    if assignment.state == AState.HANDED_BACK:
        return "You handed this review back. What you wrote is kept."
    if assignment.state not in (AState.ACCEPTED, AState.DONE):
        return "The editors no longer need this review. What you wrote is kept."
    round_ = assignment.round
    if round_.submission.state == State.WITHDRAWN:
        return "The author has withdrawn the submission. What you wrote is kept."
    if round_.closed_at is not None or round_.submission.state != State.IN_REVIEW:
        return "This round of review is over, so the review can no longer be changed."
    if round_.decisions.filter(state__in=(Decision.State.WAITING, Decision.State.HELD)).exists():
        return "The editors are deciding, so the review can no longer be changed. Write to them in the discussion."
    return ""


@transaction.atomic
def save_review(assignment: Assignment, text: ReviewText, *, version: int, actor: Any) -> Review:
    """Keep what was written; `version` is the one that the form was opened on, 0 for a review not begun.

    A sent review stays as it was sent, its change is kept beside it. The same text again changes nothing.
    Raises NotAllowed, WrongState, or StaleReview when another window saved in between.
    """
    fresh = _writable(assignment, actor)
    polarity = fresh.round.revision.text.polarity
    review = Review.objects.select_for_update().filter(assignment=fresh).first()
    if written_in(review, polarity) == text:
        return review if review is not None else _begun(fresh, text, polarity)
    if review is None:
        return _begun(fresh, text, polarity)
    if version != review.version:
        raise StaleReview(review)
    _write(review, text, polarity)
    return review


def send_review(assignment: Assignment, text: ReviewText, *, version: int, actor: Any) -> Review:
    """Send the review, or its change, to the editors; it is kept first, so that an unfinished one is not lost.

    Raises what `save_review` raises, and UnfinishedReview with all that is missing.
    """
    review = save_review(assignment, text, version=version, actor=actor)
    found = problems(text, assignment.round.revision.text.polarity)
    if found:
        raise UnfinishedReview(review, found)
    return _sent(assignment, review, text, actor)


@transaction.atomic
def _sent(assignment: Assignment, review: Review, text: ReviewText, actor: Any) -> Review:
    fresh = _writable(assignment, actor)
    current = Review.objects.select_for_update().get(pk=review.pk)
    if current.version != review.version:
        raise StaleReview(current)
    is_first, is_changed = current.sent_at is None, current.draft is not None
    for name, value in to_stored(text, fresh.round.revision.text.polarity).items():
        setattr(current, name, value)
    current.draft, current.rubric_version = None, RUBRIC_VERSION
    current.sent_at = current.sent_at or timezone.now()
    current.save()
    fresh.state = AState.DONE
    fresh.save(update_fields=["state"])
    if is_first or is_changed:
        _announce(fresh, "review-sent" if is_first else "review-changed", actor)
    return current


def _announce(assignment: Assignment, event: str, actor: Any) -> None:
    submission = assignment.round.submission
    record(actor=actor, action=event, target=submission, details={"round": assignment.round.number})
    title = mail.defuse(assignment.round.revision.text.title)
    who, done = pseudonym(actor, Involved(submission)), "sent" if event == "review-sent" else "changed"
    for editor in editors_of(submission):
        mail.post(
            event=event,
            kind="assignment",
            to=editor,
            about=assignment,
            subject=f"{submission.public_id}: {who} has {done} a review",
            text=f"{who} has {done} a review of “{title}” ({submission.public_id}).\n\n{review_of(submission)}\n",
        )


def _writable(assignment: Assignment, actor: Any) -> Assignment:
    """The assignment as it is now, held. Raises NotAllowed for anybody but its reviewer, WrongState when closed."""
    if assignment.person_id != actor.pk:
        raise NotAllowed("A review is written by the person who was asked, and by nobody else.")
    locked(assignment.round.submission)
    rows = Assignment.objects.select_for_update(of=("self",)).select_related("round__submission", "round__revision")
    fresh = rows.get(pk=assignment.pk)
    if standing_of(actor, fresh.round.submission) is not Standing.REVIEWER:
        raise NotAllowed("You are not a reviewer of this submission.")
    if fresh.state == AState.INVITED:
        raise NotAllowed("Accept the invitation before you write a review.")
    if reason := why_closed(fresh):
        raise WrongState(reason)
    return fresh


def _begun(assignment: Assignment, text: ReviewText, polarity: str) -> Review:
    stored = to_stored(text, polarity)
    return Review.objects.create(assignment=assignment, rubric_version=RUBRIC_VERSION, **stored)


def _write(review: Review, text: ReviewText, polarity: str) -> None:
    stored = to_stored(text, polarity)
    if review.sent_at is not None:
        review.draft = stored
    else:
        for name, value in stored.items():
            setattr(review, name, value)
        review.rubric_version = RUBRIC_VERSION
    review.version, review.saved_at = review.version + 1, timezone.now()
    review.save()
