"""Moves a submission from state to state: the one place where `Submission.state` is written."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Decision, Submission
from submissions.standing import Standing, standing_of
from submissions.states import STATE_NAMES, TRANSITIONS, Action, Actor, State, target_of

# What a person is told when an action comes too late or too early.
_REFUSALS = {
    Action.SUBMIT: "It has been sent already.",
    Action.WITHDRAW: "It has been decided; a decided submission cannot be withdrawn.",
    Action.PUBLISH: "Only an approved submission can be published.",
}


class NotAllowed(DomainError):
    """The person may not take this action on this submission."""


class WrongState(DomainError):
    """The action cannot be taken in the state the submission is in by now."""


@transaction.atomic
def locked(submission: Submission) -> Submission:
    """The submission, read again and held until the transaction ends. Call inside a transaction."""
    return Submission.objects.select_for_update().get(pk=submission.pk)


@transaction.atomic
def take(action: Action, submission: Submission, *, actor: Any, details: dict[str, Any] | None = None) -> Submission:
    """Take one action: checks who and from where, writes the state and an audit event, and gives the fresh row.

    Raises NotAllowed or WrongState; then nothing has changed.
    """
    fresh = locked(submission)
    target = _checked(action, fresh, actor)
    origin, fresh.state = fresh.state, target.value
    fresh.save(update_fields=["state"])
    record(
        actor=actor,
        action=f"submission-{action.value.replace('_', '-')}",
        target=fresh,
        details={"from": origin, "to": target.value, **(details or {})},
    )
    submission.state = fresh.state
    return fresh


def may_take(action: Action, submission: Submission, user: Any, standing: Standing | None = None) -> bool:
    """Whether `take` would succeed now; `standing` is what the user is to the submission, where that is known."""
    return target_of(action, State(submission.state)) is not None and is_actor(action, submission, user, standing)


def is_actor(action: Action, submission: Submission, user: Any, standing: Standing | None = None) -> bool:
    """Whether the action is this person's to take, whatever the state."""
    actor, standing = TRANSITIONS[action].actor, standing or standing_of(user, submission)
    if actor is Actor.OWNER:
        return standing is Standing.AUTHOR and submission.owner_id == user.pk
    if standing is not Standing.EDITOR:
        return False
    return actor is Actor.EDITOR or user.pk != approver_id(submission)


def approver_id(submission: Submission) -> int | None:
    """Who approved it; that person does not publish it."""
    approvals = Decision.objects.filter(submission=submission, kind=Decision.Kind.APPROVE, state=Decision.State.SENT)
    return approvals.order_by("-sent_at").values_list("decided_by", flat=True).first()


def _checked(action: Action, submission: Submission, actor: Any) -> State:
    if not is_actor(action, submission, actor):
        raise NotAllowed(f"This step is for {TRANSITIONS[action].actor.value}s; ask one to take it.")
    target = target_of(action, State(submission.state))
    if target is None:
        told = _REFUSALS.get(action, "This step cannot be taken now.")
        raise WrongState(f"{told} The submission is: {STATE_NAMES[State(submission.state)].lower()}.")
    return target
