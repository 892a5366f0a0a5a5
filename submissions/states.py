"""The one state machine of submissions: which action leads from where to where, and who may take it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Where a submission is."""

    DRAFT = "draft"
    DISCARDED = "discarded"
    SUBMITTED = "submitted"
    IN_REVIEW = "in_review"
    CHANGES_REQUESTED = "changes_requested"
    APPROVED = "approved"
    PUBLISHED = "published"
    RETIRED = "retired"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Actor(StrEnum):
    """Who takes an action. A second editor is any editor but the one who approved."""

    OWNER = "owner"
    EDITOR = "editor"
    SECOND_EDITOR = "second editor"


class Action(StrEnum):
    """What can be done to a submission as a whole."""

    SUBMIT = "submit"
    DISCARD = "discard"
    RESTORE = "restore"
    OPEN_ROUND = "open_round"
    WITHDRAW = "withdraw"
    REQUEST_CHANGES = "request_changes"
    RESUBMIT = "resubmit"
    APPROVE = "approve"
    REJECT = "reject"
    REOPEN = "reopen"
    PUBLISH = "publish"
    RETIRE = "retire"
    REINSTATE = "reinstate"


@dataclass(frozen=True, slots=True)
class Transition:
    """One row of the state table."""

    action: Action
    sources: frozenset[State]
    target: State
    actor: Actor


def _row(action: Action, sources: tuple[State, ...], actor: Actor, target: State) -> Transition:
    return Transition(action, frozenset(sources), target, actor)


TRANSITIONS: dict[Action, Transition] = {
    row.action: row
    for row in (
        _row(Action.SUBMIT, (State.DRAFT,), Actor.OWNER, State.SUBMITTED),
        _row(Action.DISCARD, (State.DRAFT,), Actor.OWNER, State.DISCARDED),
        _row(Action.RESTORE, (State.DISCARDED,), Actor.OWNER, State.DRAFT),
        _row(Action.OPEN_ROUND, (State.SUBMITTED,), Actor.EDITOR, State.IN_REVIEW),
        _row(
            Action.WITHDRAW,
            (State.SUBMITTED, State.IN_REVIEW, State.CHANGES_REQUESTED),
            Actor.OWNER,
            State.WITHDRAWN,
        ),
        _row(Action.REQUEST_CHANGES, (State.IN_REVIEW,), Actor.EDITOR, State.CHANGES_REQUESTED),
        _row(Action.RESUBMIT, (State.CHANGES_REQUESTED,), Actor.OWNER, State.IN_REVIEW),
        _row(Action.APPROVE, (State.IN_REVIEW,), Actor.EDITOR, State.APPROVED),
        _row(Action.REJECT, (State.SUBMITTED, State.IN_REVIEW), Actor.EDITOR, State.REJECTED),
        _row(Action.REOPEN, (State.WITHDRAWN, State.REJECTED), Actor.EDITOR, State.SUBMITTED),
        _row(Action.PUBLISH, (State.APPROVED,), Actor.SECOND_EDITOR, State.PUBLISHED),
        _row(Action.RETIRE, (State.PUBLISHED,), Actor.EDITOR, State.RETIRED),
        _row(Action.REINSTATE, (State.RETIRED,), Actor.EDITOR, State.PUBLISHED),
    )
}

# The author may still change the text.
EDITABLE = frozenset({State.DRAFT, State.CHANGES_REQUESTED})
# Sent and not yet decided, or decided and not yet shown.
OPEN = frozenset({State.SUBMITTED, State.IN_REVIEW, State.CHANGES_REQUESTED, State.APPROVED})
# What only its author knows of.
PRIVATE = frozenset({State.DRAFT, State.DISCARDED})

STATE_NAMES = {
    State.DRAFT: "Draft",
    State.DISCARDED: "Discarded",
    State.SUBMITTED: "Submitted",
    State.IN_REVIEW: "In review",
    State.CHANGES_REQUESTED: "Changes requested",
    State.APPROVED: "Approved",
    State.PUBLISHED: "Published",
    State.RETIRED: "Retired",
    State.REJECTED: "Not accepted",
    State.WITHDRAWN: "Withdrawn",
}


def target_of(action: Action, state: State) -> State | None:
    """The state an action leads to from `state`; None when it cannot be taken there."""
    transition = TRANSITIONS[action]
    return transition.target if state in transition.sources else None
