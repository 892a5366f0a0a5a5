"""Decisions: kept as drafts, decided with a letter that waits, undone until it goes out, released all or nothing."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.addresses import review_of
from submissions.models import Assignment, Decision, RequestedChange, Submission
from submissions.selectors.recipients import authors_of, editors_of
from submissions.services import decision_letters, review_letters, rounds
from submissions.services.approving import ApprovalPlan, check_can_be_made, make_metrics
from submissions.services.decision_choice import MOST_POINTS, POINT_FIELDS, Choice, Sending, release_time
from submissions.services.letters import LONGEST_SUBJECT, reviewers_named_in
from submissions.services.transitions import NotAllowed, WrongState, is_actor, locked, take
from submissions.states import STATE_NAMES, Action, State, target_of

logger = logging.getLogger(__name__)

ACTIONS = {
    Decision.Kind.APPROVE: Action.APPROVE,
    Decision.Kind.REQUEST_CHANGES: Action.REQUEST_CHANGES,
    Decision.Kind.REJECT: Action.REJECT,
}
UNSENT = (Decision.State.DRAFT, Decision.State.WAITING, Decision.State.HELD)
LONGEST_LETTER = 20_000


class Refused(DomainError):
    """What keeps a decision from being made, one sentence for each reason."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


@transaction.atomic
def keep_draft(submission: Submission, choice: Choice, *, actor: Any) -> Decision:
    """Keep an unfinished decision, for all editors to see; whatever was decided and not sent is undone.

    Raises NotAllowed, WrongState, or Refused for a kind that is none.
    """
    fresh = _held_for(submission, choice, actor)
    return _store(fresh, choice, actor=actor, state=Decision.State.DRAFT, release_at=None)


@transaction.atomic
def decide(submission: Submission, choice: Choice, *, actor: Any, sending: Sending) -> Decision:
    """Decide: the letter waits, or is held, or (`NOW`) goes out at once. A decision that was not sent is undone.

    The same decision again (a second click) gives the first one. Raises NotAllowed, WrongState, or Refused with every
    reason; then nothing has changed.
    """
    with transaction.atomic():
        fresh = _held_for(submission, choice, actor)
        reasons = problems(fresh, choice)
        if reasons:
            raise Refused(reasons)
        state = Decision.State.HELD if sending is Sending.HOLD else Decision.State.WAITING
        decision = _store(fresh, choice, actor=actor, state=state, release_at=release_time(sending))
    return release(decision) if sending is Sending.NOW else decision


def problems(submission: Submission, choice: Choice) -> list[str]:
    """What keeps this choice from being decided, as sentences that say what to do; [] when nothing does."""
    found = _point_problems(choice)
    if choice.kind == Decision.Kind.REQUEST_CHANGES and (
        choice.answer_due is None or choice.answer_due <= timezone.now()
    ):
        found.append("Choose a date for the answer that is still to come.")
    if choice.kind == Decision.Kind.APPROVE:
        found += check_can_be_made(submission, ApprovalPlan.from_json(choice.plan))
    return found + _letter_problems(submission, choice)


@transaction.atomic
def undo(decision: Decision, *, actor: Any) -> Decision:
    """Take a decision back before its letter went out. Raises NotAllowed, or WrongState when it has been sent."""
    fresh = _held_unsent(decision, actor)
    return _move(fresh, Decision.State.UNDONE, actor, "decision-undone")


@transaction.atomic
def hold(decision: Decision, *, actor: Any) -> Decision:
    """Keep the letter until somebody lets it go. Raises NotAllowed or WrongState."""
    fresh = _held_unsent(decision, actor)
    if fresh.state == Decision.State.DRAFT:
        raise WrongState("This decision is a draft; it has no letter to hold yet.")
    fresh.release_at = None
    return _move(fresh, Decision.State.HELD, actor, "decision-held")


@transaction.atomic
def let_go(decision: Decision, *, actor: Any, sending: Sending = Sending.SOON) -> Decision:
    """Let a held letter go at a time. Raises NotAllowed or WrongState."""
    fresh = _held_unsent(decision, actor)
    if fresh.state == Decision.State.DRAFT:
        raise WrongState("This decision is a draft. Decide first.")
    fresh.release_at, fresh.trouble = release_time(sending), ""
    return _move(fresh, Decision.State.WAITING, actor, "decision-let-go")


def send_now(decision: Decision, *, actor: Any) -> Decision:
    """Let the letter go at once; what comes back is sent, or held with its trouble. Raises NotAllowed or WrongState."""
    return release(let_go(decision, actor=actor, sending=Sending.NOW))


def release(decision: Decision) -> Decision:
    """Make a waiting decision take effect, if its time has come: state, metrics, requests, round and letters at once.

    Called by the clock and by `send_now`; a second call changes nothing. Whatever is in the way, nothing of it
    happens: the decision is held, its `trouble` says why in words, and the editors are told.
    """
    try:
        return _release(decision)
    except DomainError as error:
        return _hold_with(decision, str(error))
    except Exception:  # a failure of ours must neither half decide nor come again every minute
        logger.exception("decision %s could not be released", decision.pk)
        return _hold_with(decision, "Something went wrong on our side. An operator finds it in the log.")


def due(now: datetime | None = None) -> QuerySet[Decision]:
    """The decisions whose letters should go out by now."""
    waiting = Decision.objects.filter(state=Decision.State.WAITING, release_at__lte=now or timezone.now())
    return waiting.select_related("submission").order_by("release_at", "pk")


def open_decision(submission: Submission) -> Decision | None:
    """The one that was not sent yet."""
    return submission.decisions.filter(state__in=UNSENT).select_related("decided_by").first()


def kinds_open_to(submission: Submission) -> list[str]:
    """The kinds of decision that can be made in the state it is in."""
    state = State(submission.state)
    return [kind.value for kind, action in ACTIONS.items() if target_of(action, state) is not None]


@transaction.atomic
def _release(decision: Decision) -> Decision:
    submission = locked(decision.submission)
    fresh = _locked_decision(decision)
    if fresh.state != Decision.State.WAITING or fresh.release_at is None or fresh.release_at > timezone.now():
        return fresh
    named = reviewers_named_in(f"{fresh.subject}\n{fresh.letter}", submission)
    if named:
        raise DomainError(f"The letter names {' and '.join(named)} by name or address. Change its wording.")
    take(ACTIONS[Decision.Kind(fresh.kind)], submission, actor=fresh.decided_by, details={"decision": fresh.pk})
    if fresh.kind == Decision.Kind.APPROVE:
        make_metrics(submission, actor=fresh.decided_by, plan=ApprovalPlan.from_json(fresh.plan))
    if fresh.kind == Decision.Kind.REQUEST_CHANGES:
        _make_requests(fresh)
    fresh.sent_at, fresh.trouble = timezone.now(), ""
    _move(fresh, Decision.State.SENT, fresh.decided_by, "decision-sent")
    if fresh.round is not None:
        _end_round(fresh)
    _write_to_authors(fresh, submission)
    return fresh


def _make_requests(decision: Decision) -> None:
    RequestedChange.objects.bulk_create(
        RequestedChange(decision=decision, number=number, field=one["field"], text=one["text"])
        for number, one in enumerate(decision.requests, start=1)
    )


def _end_round(decision: Decision) -> None:
    assert decision.round is not None
    states = (Assignment.State.DONE, Assignment.State.ACCEPTED, Assignment.State.INVITED)
    told = decision.round.assignments.filter(state__in=states).select_related(
        "person", "round__submission", "round__revision"
    )
    # An invitation that never left needs no second letter.
    assignments = [one for one in told if not _is_untold(one)]
    rounds.close(decision.round)
    for assignment in assignments:
        letter = review_letters.decided(assignment, decision.kind)
        mail.post(event="review-decided", kind="assignment", to=assignment.person, about=assignment,
                  subject=letter.subject, text=letter.text, round=f"decision {decision.pk}")  # fmt: skip


def _is_untold(assignment: Assignment) -> bool:
    unsent = (mail.State.WAITING, mail.State.HELD)
    asked = mail.mails_about(assignment).filter(event=rounds.ASKED, recipient=assignment.person, state__in=unsent)
    return assignment.state == Assignment.State.INVITED and asked.exists()


def _write_to_authors(decision: Decision, submission: Submission) -> None:
    for person in authors_of(submission):
        is_owner = person.pk == submission.owner_id
        short = decision_letters.to_co_author(submission)
        mail.post(
            event="decision-letter",
            kind="decision",
            to=person,
            about=submission,
            subject=decision.subject if is_owner else short.subject,
            text=decision.letter if is_owner else short.text,
            round=f"decision {decision.pk}",
        )


@transaction.atomic
def _hold_with(decision: Decision, trouble: str) -> Decision:
    submission = locked(decision.submission)
    fresh = _locked_decision(decision)
    if fresh.state != Decision.State.WAITING:
        return fresh
    fresh.release_at, fresh.trouble = None, trouble[:300]
    _move(fresh, Decision.State.HELD, None, "decision-in-trouble")
    for editor in editors_of(submission):
        mail.post(
            event="decision-in-trouble",
            kind="assignment",
            to=editor,
            about=submission,
            subject=f"{submission.public_id}: the letter could not go out",
            text=f"The decision on {submission.public_id} is held, and nothing of it has happened.\n\n"
            f"{mail.defuse(fresh.trouble)}\n\n{review_of(submission)}\n",
            round=f"decision {fresh.pk} {timezone.now():%Y-%m-%d %H:%M:%S}",
        )
    return fresh


def _store(submission: Submission, choice: Choice, *, actor: Any, state: str, release_at: datetime | None) -> Decision:
    """Write the choice as the one open decision of its submission; one that waited before is undone."""
    written = decision_letters.compose(submission, choice)
    values = {
        "kind": choice.kind,
        "requests": choice.requests(),
        "answer_due": choice.answer_due if choice.kind == Decision.Kind.REQUEST_CHANGES else None,
        "subject": " ".join(choice.subject.split()) or written.subject,
        "letter": choice.letter.strip() + "\n" if choice.letter.strip() else written.text,
        "plan": choice.plan if choice.kind == Decision.Kind.APPROVE else {},
    }
    before = submission.decisions.select_for_update().filter(state__in=UNSENT).first()
    if before is not None and before.state == state and all(getattr(before, name) == values[name] for name in values):
        return before
    if before is not None and before.state != Decision.State.DRAFT:
        _move(before, Decision.State.UNDONE, actor, "decision-undone")
        before = None
    decision = before or Decision(submission=submission)
    for name, value in values.items():
        setattr(decision, name, value)
    decision.round = submission.rounds.order_by("-number").first() if submission.state == State.IN_REVIEW else None
    decision.decided_by, decision.decided_at, decision.release_at = actor, timezone.now(), release_at
    decision.trouble = ""
    return _move(decision, state, actor, "decision-drafted" if state == Decision.State.DRAFT else "decision-made")


def _move(decision: Decision, state: str, actor: Any, action: str) -> Decision:
    decision.state = str(state)
    decision.save()
    details = {"decision": decision.pk, "kind": decision.kind}
    record(actor=actor, action=action, target=decision.submission, details=details)
    return decision


def _held_for(submission: Submission, choice: Choice, actor: Any) -> Submission:
    """The submission, held, after asking whether this person may take this kind of decision on it now."""
    if choice.kind not in Decision.Kind.values:
        raise Refused(["Choose what to decide."])
    fresh = locked(submission)
    action = ACTIONS[Decision.Kind(choice.kind)]
    if not is_actor(action, fresh, actor):
        raise NotAllowed("Only an editor who neither wrote nor reviews it, and has no conflict, decides.")
    if target_of(action, State(fresh.state)) is None:
        raise WrongState(f"It cannot be decided so: the submission is {STATE_NAMES[State(fresh.state)].lower()}.")
    return fresh


def _held_unsent(decision: Decision, actor: Any) -> Decision:
    submission = locked(decision.submission)
    fresh = _locked_decision(decision)
    if not is_actor(ACTIONS[Decision.Kind(fresh.kind)], submission, actor):
        raise NotAllowed("Only an editor who neither wrote nor reviews it, and has no conflict, decides.")
    if fresh.state == Decision.State.SENT:
        raise WrongState("The letter has gone out. What it says can only be changed by a new decision.")
    if fresh.state == Decision.State.UNDONE:
        raise WrongState("This decision was undone already.")
    return fresh


def _locked_decision(decision: Decision) -> Decision:
    rows = Decision.objects.select_for_update(of=("self",)).select_related("submission__owner", "round", "decided_by")
    return rows.get(pk=decision.pk)


def _point_problems(choice: Choice) -> list[str]:
    points = [point for point in choice.points if point.text.strip()]
    found = []
    if choice.kind == Decision.Kind.REQUEST_CHANGES and not points:
        found.append("Write at least one change that the author can answer.")
    if choice.kind == Decision.Kind.REJECT and not points:
        found.append("Write at least one reason, or what would help.")
    if len(points) > MOST_POINTS:
        found.append(f"Write at most {MOST_POINTS} points; there are {len(points)}.")
    if any(point.field not in POINT_FIELDS for point in points):
        found.append("Say for each point which part of the text it is about.")
    return found


def _letter_problems(submission: Submission, choice: Choice) -> list[str]:
    written = decision_letters.compose(submission, choice)
    subject, text = choice.subject.strip() or written.subject, choice.letter.strip() or written.text
    found = []
    named = reviewers_named_in(f"{subject}\n{text}", submission)
    if named:
        found.append(f"The letter names {' and '.join(named)} by name or address. Write “{named[0]}” instead.")
    if len(" ".join(subject.split())) > LONGEST_SUBJECT:
        found.append(f"Shorten the subject to {LONGEST_SUBJECT} characters.")
    if len(text) > LONGEST_LETTER:
        found.append(f"Shorten the letter to {LONGEST_LETTER:,} characters.")
    return found
