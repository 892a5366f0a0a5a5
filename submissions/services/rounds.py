"""Rounds of review: opens and closes them, asks people, reminds them, and changes their dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Assignment, Call, Reviewer, Revision, Round, Submission
from submissions.services import review_letters
from submissions.services.assignments import open_load, seat_for
from submissions.services.letters import Letter
from submissions.services.suitability import why_not
from submissions.services.transitions import NotAllowed, WrongState, locked, take
from submissions.standing import Involved, Standing, standing_of
from submissions.states import Action, State

ANSWER_DAYS = 3
# What a letter about an assignment is called in the outbox.
ASKED, AGAIN, REMINDED = "review-asked", "review-again", "review-reminder"
AT_WORK = (Assignment.State.INVITED, Assignment.State.ACCEPTED, Assignment.State.DONE)
UNFINISHED = (Assignment.State.INVITED, Assignment.State.ACCEPTED)


@transaction.atomic
def open_round(
    submission: Submission, *, actor: Any, people: Sequence[Any], answer_by: datetime, due_at: datetime
) -> Round:
    """Open the first round, or go on with the last one after a reopening, and ask the people.

    Raises NotAllowed, WrongState, or DomainError with what is wrong with the people or the dates; then nothing changed.
    """
    fresh = take(Action.OPEN_ROUND, submission, actor=actor)
    opened = _round_of_newest_version(fresh)
    if not people and not opened.assignments.filter(state__in=AT_WORK).exists():
        raise DomainError("Choose at least one reviewer.")
    record(actor=actor, action="round-opened", target=fresh, details={"round": opened.number})
    ask(opened, people, actor=actor, answer_by=answer_by, due_at=due_at)
    return opened


@transaction.atomic
def reopen_for(revision: Revision) -> Round:
    """The next round, of a version sent after a request for changes; who reviewed before is at work again.

    Called by `services.sending.resend` inside its transaction. People who may not any more are left out.
    """
    submission = revision.submission
    before = submission.rounds.order_by("-number").first()
    opened = _next_round(revision)
    due_at = _end_of_day(timezone.now() + timedelta(days=days_of(submission).review_days))
    seated = before.assignments.filter(state__in=[Assignment.State.ACCEPTED, Assignment.State.DONE]) if before else ()
    involved = Involved(submission)
    for assignment in seated:
        if why_not(assignment.person, involved) is None:
            _seat_again(opened, assignment, due_at)
    return opened


@transaction.atomic
def ask(round_: Round, people: Iterable[Any], *, actor: Any, answer_by: datetime, due_at: datetime) -> list[Assignment]:
    """Ask people to review in an open round; who was asked in it already and has not left is passed over.

    Raises NotAllowed, WrongState, or DomainError naming the first person who cannot be asked; then nobody was asked.
    """
    submission = _held_by_editor(round_.submission, actor)
    round_ = Round.objects.select_related("submission", "revision").get(pk=round_.pk)
    if round_.closed_at is not None:
        raise WrongState("This round is closed. A new version opens the next one.")
    check_dates(answer_by, due_at)
    made = []
    for person in sorted(people, key=lambda one: one.pk):
        assignment = _ask_one(round_, person, actor=actor, answer_by=answer_by, due_at=due_at)
        if assignment is not None:
            made.append(assignment)
    record(actor=actor, action="reviewers-asked", target=submission, details={"round": round_.number, "n": len(made)})
    return made


@transaction.atomic
def close(round_: Round) -> Round:
    """End a round: unanswered invitations lapse, and letters that still ask for something are not sent.

    Part of the caller's transaction (a decision that goes out, a withdrawal). Closing twice changes nothing.
    """
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if round_.closed_at is not None:
        return round_
    round_.closed_at = timezone.now()
    round_.save(update_fields=["closed_at"])
    # Who accepted has read the text and stays a reviewer of it, so their assignment keeps saying so.
    round_.assignments.filter(state=Assignment.State.INVITED).update(state=Assignment.State.CANCELLED)
    for assignment in round_.assignments.select_related("person"):
        mail.cancel(about=assignment, to=assignment.person)
    return round_


@transaction.atomic
def remind(assignment: Assignment, *, actor: Any = None) -> bool:
    """Write one reminder, at most one a day; False when there was one today. `actor` None is the clock.

    Raises NotAllowed, or DomainError when there is nothing left to remind of.
    """
    if actor is not None:
        _held_by_editor(assignment.round.submission, actor)
    fresh = _locked_assignment(assignment)
    if not is_unfinished(fresh):
        raise DomainError(f"{_seat_name(fresh)} has nothing left to do here, so no reminder was written.")
    now = timezone.now()
    if fresh.reminded_at is not None and fresh.reminded_at.date() == now.date():
        return False
    fresh.reminded_at = now
    fresh.save(update_fields=["reminded_at"])
    written = review_letters.reminder(fresh, is_late=_is_late(fresh, now))
    _post(fresh, REMINDED, written, kind="reminder", occasion=f"{now:%Y-%m-%d}", still_true="assignment-unfinished")
    record(actor=actor, action="reviewer-reminded", target=fresh.round.submission, details=_details(fresh))
    return True


@transaction.atomic
def cancel(assignment: Assignment, *, actor: Any) -> Assignment:
    """Take an unfinished assignment back and tell the person. Raises NotAllowed or DomainError.

    Who had accepted keeps the date of the answer, and so stays a reviewer of it for good.
    """
    _held_by_editor(assignment.round.submission, actor)
    fresh = _locked_assignment(assignment)
    if not is_unfinished(fresh):
        raise DomainError(f"{_seat_name(fresh)} has finished or left already; there is nothing to cancel.")
    fresh.state = Assignment.State.CANCELLED
    fresh.save(update_fields=["state"])
    was_told = _unsend(fresh)
    if was_told:
        _post(fresh, "review-cancelled", review_letters.cancelled(fresh), kind="assignment")
    record(actor=actor, action="assignment-cancelled", target=fresh.round.submission, details=_details(fresh))
    return fresh


@transaction.atomic
def change_dates(assignment: Assignment, *, actor: Any, answer_by: datetime, due_at: datetime) -> Assignment:
    """Give other dates and tell the person once. Raises NotAllowed or DomainError."""
    _held_by_editor(assignment.round.submission, actor)
    fresh = _locked_assignment(assignment)
    if not is_unfinished(fresh):
        raise DomainError(f"{_seat_name(fresh)} has nothing left to do here, so no date was changed.")
    answered = fresh.state == Assignment.State.ACCEPTED
    check_dates(timezone.now() + timedelta(minutes=1) if answered else answer_by, due_at)
    if (fresh.answer_by, fresh.due_at) == (answer_by, due_at):
        return fresh
    fresh.answer_by, fresh.due_at = answer_by, due_at
    fresh.save(update_fields=["answer_by", "due_at"])
    occasion = f"{due_at:%Y-%m-%d %H:%M}"
    _post(fresh, "review-dates", review_letters.new_dates(fresh), kind="assignment", occasion=occasion,
          still_true="assignment-unfinished")  # fmt: skip
    details = {**_details(fresh), "due_at": due_at.isoformat()}
    record(actor=actor, action="assignment-dates-changed", target=fresh.round.submission, details=details)
    return fresh


@transaction.atomic
def expire(assignment: Assignment) -> bool:
    """End an invitation that was not answered in time; the clock calls it. False when it was answered after all."""
    fresh = _locked_assignment(assignment)
    if fresh.state != Assignment.State.INVITED or fresh.answer_by > timezone.now():
        return False
    fresh.state = Assignment.State.CANCELLED
    fresh.save(update_fields=["state"])
    _unsend(fresh)
    record(actor=None, action="invitation-expired", target=fresh.round.submission, details=_details(fresh))
    return True


def open_round_of(submission: Submission) -> Round | None:
    """The round that is open now."""
    return submission.rounds.filter(closed_at=None).select_related("revision", "submission").first()


def is_unfinished(assignment: Assignment) -> bool:
    """Whether the person still has something to do: answer, or send a review, in an open round under review."""
    return (
        assignment.state in UNFINISHED
        and assignment.round.closed_at is None
        and assignment.round.submission.state == State.IN_REVIEW
    )


def days_of(submission: Submission) -> Call:
    """The rules on dates: those of its call, or the usual ones."""
    return submission.call or Call()


def usual_dates(submission: Submission) -> tuple[datetime, datetime]:
    """Until when one answers and reviews, unless an editor says otherwise; ends of days in UTC."""
    now = timezone.now()
    due_at = _end_of_day(now + timedelta(days=days_of(submission).review_days))
    return min(_end_of_day(now + timedelta(days=ANSWER_DAYS)), due_at), due_at


def check_dates(answer_by: datetime, due_at: datetime) -> None:
    """Raises DomainError unless now < answer_by <= due_at."""
    if answer_by <= timezone.now():
        raise DomainError("Choose a date to answer by that is still to come.")
    if due_at < answer_by:
        raise DomainError("The review cannot be due before the answer; choose a later date.")


def _ask_one(round_: Round, person: Any, *, actor: Any, answer_by: datetime, due_at: datetime) -> Assignment | None:
    if person == actor:
        raise DomainError("You cannot ask yourself; let another editor ask you.")
    reason = why_not(person, Involved(round_.submission))
    if reason is not None:
        raise DomainError(f"{_label(person)} cannot review this submission: {reason}.")
    # Held until the end, so that two editors who ask at once cannot both take the last place under the cap.
    Reviewer.objects.get_or_create(person=person)
    reviewer = Reviewer.objects.select_for_update().get(person=person)
    before = Assignment.objects.filter(round=round_, person=person).first()
    if before is not None and before.state != Assignment.State.CANCELLED:
        return None
    if open_load(person) >= reviewer.most_open:
        raise DomainError(f"{_label(person)} takes at most {reviewer.most_open} at a time and has no room now.")
    return _invite(round_, person, before, asked_by=actor, answer_by=answer_by, due_at=due_at)


def _invite(round_: Round, person: Any, before: Assignment | None, **fields: Any) -> Assignment:
    seat_for(round_.submission, person)
    assignment = before or Assignment(round=round_, person=person)
    # Who had accepted and was relieved has read the text: they go on, and are not asked whether they have a conflict.
    goes_on = assignment.answered_at is not None
    assignment.state = Assignment.State.ACCEPTED if goes_on else Assignment.State.INVITED
    for name, value in {**fields, "asked_at": timezone.now(), "reminded_at": None}.items():
        setattr(assignment, name, value)
    assignment.save()
    occasion = f"asked {assignment.asked_at:%Y-%m-%d %H:%M:%S}" if before else ""
    if goes_on:
        _post(assignment, ASKED, review_letters.new_dates(assignment), kind="assignment", occasion=occasion)
    else:
        _post(assignment, ASKED, review_letters.invitation(assignment), kind="assignment", occasion=occasion,
              still_true="assignment-unanswered")  # fmt: skip
    return assignment


def _seat_again(round_: Round, before: Assignment, due_at: datetime) -> Assignment:
    now = timezone.now()
    assignment = Assignment.objects.create(
        round=round_,
        person=before.person,
        state=Assignment.State.ACCEPTED,
        asked_by=before.asked_by,
        answer_by=now,
        answered_at=now,
        due_at=due_at,
    )
    _post(assignment, AGAIN, review_letters.next_round(assignment), kind="revision", still_true="assignment-unfinished")
    return assignment


def _post(
    assignment: Assignment, event: str, letter: Letter, *, kind: str, occasion: str = "", still_true: str = ""
) -> None:
    mail.post(
        event=event,
        kind=kind,
        to=assignment.person,
        about=assignment,
        subject=letter.subject,
        text=letter.text,
        round=occasion,
        still_true=still_true or None,
    )


def _unsend(assignment: Assignment) -> bool:
    """Take back what was not sent yet; True when the person has read, or may have read, that they were asked."""
    n_asked = mail.cancel(about=assignment, event=ASKED, to=assignment.person)
    mail.cancel(about=assignment, to=assignment.person)
    return n_asked == 0


def _next_round(revision: Revision) -> Round:
    submission = revision.submission
    newest = submission.rounds.order_by("-number").first()
    return Round.objects.create(submission=submission, number=newest.number + 1 if newest else 1, revision=revision)


def _round_of_newest_version(submission: Submission) -> Round:
    """A new round, or after a reopening the same one again: nobody reviews one text twice."""
    revision = submission.revisions.order_by("-number").first()
    if revision is None:
        raise WrongState("Nothing was sent yet.")
    before = Round.objects.filter(revision=revision).first()
    if before is None:
        return _next_round(revision)
    before.closed_at = None
    before.save(update_fields=["closed_at"])
    return before


def _held_by_editor(submission: Submission, actor: Any) -> Submission:
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.EDITOR:
        raise NotAllowed("This step is for editors; ask one to take it.")
    return fresh


def _locked_assignment(assignment: Assignment) -> Assignment:
    locked(assignment.round.submission)
    return Assignment.objects.select_for_update(of=("self",)).select_related(
        "round__submission", "round__revision", "person"
    ).get(pk=assignment.pk)  # fmt: skip


def _is_late(assignment: Assignment, now: datetime) -> bool:
    return assignment.due_at < now


def _details(assignment: Assignment) -> dict[str, Any]:
    return {"round": assignment.round.number, "seat": seat_for(assignment.round.submission, assignment.person).number}


def _seat_name(assignment: Assignment) -> str:
    return f"Reviewer {seat_for(assignment.round.submission, assignment.person).number}"


def _label(person: Any) -> str:
    return person.name.strip() or "This person"


def _end_of_day(moment: datetime) -> datetime:
    return moment.replace(hour=23, minute=59, second=0, microsecond=0)
