"""What a reviewer answers to an invitation: yes, no, a conflict, or later giving it back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from impactbench.accounts.organisations import verified_domains
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.addresses import review_of
from submissions.content import text_of
from submissions.models import Assignment, Conflict, Reviewer, Seat, Submission
from submissions.models.reviews import AssignmentState as AState
from submissions.naming import display_name
from submissions.selectors.recipients import editors_of
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Involved, Standing, standing_of
from submissions.states import State

LONGEST_REASON = 2_000


class ConflictNotAnswered(DomainError):
    """The question about a conflict was not answered with a plain no."""


class TooMuchOpen(DomainError):
    """The person has as many open reviews as they agreed to."""


def obstacle(person: Any, submission: Submission) -> str:
    """Why this person can never be its reviewer, in a sentence for that person; '' when nothing stands against it.

    An unconfirmed second address counts as well as the first. Who named whom is not told.
    """
    involved = Involved(submission)
    if involved.is_author(person):
        return "You wrote it."
    if involved.invited_as_co_author(person):
        return "You were named as one of its authors."
    if not set(submission.author_domains).isdisjoint(verified_domains(person)):
        return "It comes from your organisation."
    if involved.has_conflict(person):
        return "There is a conflict of interest."
    return ""


def open_load(person: Any) -> int:
    """How many reviews the person has to write now; nothing that was withdrawn, decided, sent or given back counts."""
    return Assignment.objects.filter(
        person=person,
        state=AState.ACCEPTED,
        round__closed_at__isnull=True,
        round__submission__state=State.IN_REVIEW,
    ).count()


@transaction.atomic
def seat_for(submission: Submission, person: Any) -> Seat:
    """The person's seat in this submission, made when there is none; its number never changes and is never reused."""
    locked(submission)
    seat = Seat.objects.filter(submission=submission, person=person).first()
    if seat is None:
        last = Seat.objects.filter(submission=submission).aggregate(last=Max("number"))["last"] or 0
        seat = Seat.objects.create(submission=submission, person=person, number=last + 1)
    return seat


@transaction.atomic
def accept(assignment: Assignment, *, actor: Any, no_conflict: bool) -> Assignment:
    """Accept an invitation; `no_conflict` is the declaration without which the text never opens.

    Raises ConflictNotAnswered, TooMuchOpen, NotAllowed (not the person's own, or kept out of it) or WrongState (too
    late); then nothing has changed.
    """
    fresh = _own(assignment, actor)
    submission = fresh.round.submission
    if fresh.state == AState.ACCEPTED:
        return fresh
    _check_answerable(fresh)
    if reason := obstacle(actor, submission):
        raise NotAllowed(f"This submission is not open to you. {reason}")
    if standing_of(actor, submission) not in (Standing.INVITED, Standing.REVIEWER):
        raise NotAllowed("Only reviewers accept an invitation to review.")
    if not no_conflict:
        raise ConflictNotAnswered("Say first whether there is a reason why you should not review it.")
    _check_load(actor)
    seat_for(submission, actor)
    return _answered(fresh, AState.ACCEPTED, actor, "review-accepted")


@transaction.atomic
def decline(assignment: Assignment, *, actor: Any, reason: str = "") -> Assignment:
    """Decline an invitation, with or without a reason; the editors are told. Raises NotAllowed or WrongState."""
    fresh = _own(assignment, actor)
    if fresh.state == AState.DECLINED:
        return fresh
    _check_invited(fresh)
    declined = _answered(fresh, AState.DECLINED, actor, "review-declined", reason)
    _tell_editors(declined, "review-declined", "declined to review", reason)
    return declined


@transaction.atomic
def declare_conflict(assignment: Assignment, *, actor: Any, reason: str = "") -> Assignment:
    """Say that there is, or may be, a conflict: the text does not open (or shuts), and the editors are told.

    Raises NotAllowed or WrongState.
    """
    fresh = _own(assignment, actor)
    if fresh.state == AState.CONFLICT:
        return fresh
    if fresh.state not in (AState.INVITED, AState.ACCEPTED):
        raise WrongState(_too_late(fresh))
    Conflict.objects.get_or_create(
        submission=fresh.round.submission,
        person=actor,
        cleared_at=None,
        defaults={"kind": Conflict.Kind.DECLARED, "reason": text_of(reason).strip()[:LONGEST_REASON]},
    )
    # Who has read the text stays its reviewer, also when an editor clears the conflict later.
    state = AState.CONFLICT if fresh.state == AState.INVITED else AState.HANDED_BACK
    declared = _answered(fresh, state, actor, "review-conflict", reason)
    _tell_editors(declared, "review-conflict", "may have a conflict of interest with", reason)
    return declared


@transaction.atomic
def hand_back(assignment: Assignment, *, actor: Any, reason: str = "") -> Assignment:
    """Give an open review back; what was written of it is kept, and the editors are told.

    Raises NotAllowed or WrongState.
    """
    fresh = _own(assignment, actor)
    if fresh.state == AState.HANDED_BACK:
        return fresh
    if fresh.state != AState.ACCEPTED:
        raise WrongState("Only an open review can be handed back. Write to the editors in the discussion instead.")
    given = _answered(fresh, AState.HANDED_BACK, actor, "review-handed-back", reason)
    _tell_editors(given, "review-handed-back", "handed back the review of", reason)
    return given


def is_expired(assignment: Assignment) -> bool:
    """Whether it is an invitation that was not answered in time."""
    return assignment.state == AState.INVITED and assignment.answer_by < timezone.now()


def is_answerable(assignment: Assignment) -> bool:
    """Whether the invitation can still be accepted."""
    round_ = assignment.round
    is_open = round_.closed_at is None and round_.submission.state == State.IN_REVIEW
    return assignment.state == AState.INVITED and is_open and not is_expired(assignment)


def _own(assignment: Assignment, actor: Any) -> Assignment:
    """The assignment as it is now, held; the submission is held first, as everywhere."""
    if assignment.person_id != actor.pk:
        raise NotAllowed("Only the person who was asked can answer.")
    locked(assignment.round.submission)
    return Assignment.objects.select_for_update(of=("self",)).select_related("round__submission").get(pk=assignment.pk)


def _check_invited(assignment: Assignment) -> None:
    if assignment.state != AState.INVITED:
        raise WrongState(_too_late(assignment))


def _check_answerable(assignment: Assignment) -> None:
    _check_invited(assignment)
    if not is_answerable(assignment):
        raise WrongState("This invitation has ended. Write to the editors if you would still like to review it.")


def _too_late(assignment: Assignment) -> str:
    words = {
        AState.DECLINED: "You have declined it already.",
        AState.CANCELLED: "The editors no longer need this review.",
        AState.DONE: "You have sent your review already.",
    }
    return words.get(AState(assignment.state), "This invitation has been answered already.")


def _check_load(person: Any) -> None:
    Reviewer.objects.get_or_create(person=person)
    reviewer = Reviewer.objects.select_for_update().get(person=person)
    n_open = open_load(person)
    if n_open >= reviewer.most_open:
        raise TooMuchOpen(
            f"You have {n_open} open reviews and agreed to at most {reviewer.most_open}. "
            "Send or hand back one, or raise the number in your settings."
        )


def _answered(assignment: Assignment, state: AState, actor: Any, action: str, reason: str = "") -> Assignment:
    origin, assignment.state, assignment.answered_at = assignment.state, state.value, timezone.now()
    assignment.save(update_fields=["state", "answered_at"])
    record(
        actor=actor,
        action=action,
        target=assignment.round.submission,
        details={"round": assignment.round.number, "from": origin, "gave_reason": bool(reason.strip())},
    )
    return assignment


def _tell_editors(assignment: Assignment, event: str, what: str, reason: str) -> None:
    submission = assignment.round.submission
    title = mail.defuse(assignment.round.revision.text.title)
    said = f"\n\nThe reason given: {mail.defuse(text_of(reason))[:LONGEST_REASON]}" if reason.strip() else ""
    for editor in editors_of(submission):
        who = mail.defuse(display_name(assignment.person, editor, submission))
        mail.post(
            event=event,
            kind="assignment",
            to=editor,
            about=assignment,
            subject=f"{submission.public_id}: a reviewer {what} it",
            text=f"{who} {what} “{title}” ({submission.public_id}).{said}\n\n{review_of(submission)}\n",
        )
