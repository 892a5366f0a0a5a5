"""Every pair of state and action, also the refused ones."""

import pytest

from submissions.models import Decision
from submissions.services.transitions import NotAllowed, WrongState, take
from submissions.states import TRANSITIONS, Action, Actor, State, target_of
from tests.support.portal import make_decision, make_person, make_submission

TABLE = {
    Action.SUBMIT: {State.DRAFT: State.SUBMITTED},
    Action.DISCARD: {State.DRAFT: State.DISCARDED},
    Action.RESTORE: {State.DISCARDED: State.DRAFT},
    Action.OPEN_ROUND: {State.SUBMITTED: State.IN_REVIEW},
    Action.WITHDRAW: {
        State.SUBMITTED: State.WITHDRAWN,
        State.IN_REVIEW: State.WITHDRAWN,
        State.CHANGES_REQUESTED: State.WITHDRAWN,
    },
    Action.REQUEST_CHANGES: {State.IN_REVIEW: State.CHANGES_REQUESTED},
    Action.RESUBMIT: {State.CHANGES_REQUESTED: State.IN_REVIEW},
    Action.APPROVE: {State.IN_REVIEW: State.APPROVED},
    Action.REJECT: {State.SUBMITTED: State.REJECTED, State.IN_REVIEW: State.REJECTED},
    Action.REOPEN: {State.WITHDRAWN: State.SUBMITTED, State.REJECTED: State.SUBMITTED},
    Action.PUBLISH: {State.APPROVED: State.PUBLISHED},
    Action.RETIRE: {State.PUBLISHED: State.RETIRED},
    Action.REINSTATE: {State.RETIRED: State.PUBLISHED},
}
PAIRS = [(action, state) for action in Action for state in State]


def test_target_of_every_pair_is_the_table():
    assert {(a, s): target_of(a, s) for a, s in PAIRS} == {(a, s): TABLE[a].get(s) for a, s in PAIRS}


@pytest.mark.django_db
@pytest.mark.parametrize(("action", "state"), PAIRS)
def test_take_by_whoever_may_leads_where_the_table_says(action, state):
    owner, editor = make_person("Ada Author", "expert"), make_person("Ed Editor", "editor")
    submission = make_submission(owner, state)
    actor = owner if TRANSITIONS[action].actor is Actor.OWNER else editor
    expected = TABLE[action].get(state)

    if expected is None:
        with pytest.raises((WrongState, NotAllowed)):
            take(action, submission, actor=actor)
    else:
        take(action, submission, actor=actor)

    submission.refresh_from_db()
    assert submission.state == (expected or state)


@pytest.mark.django_db
@pytest.mark.parametrize("action", list(Action))
def test_take_by_the_wrong_person_is_refused(action):
    owner = make_person("Ada Author", "expert", "editor", "reviewer", "operator")
    editor = make_person("Ed Editor", "editor")
    state = next(iter(TABLE[action]))
    submission = make_submission(owner, state)
    wrong = editor if TRANSITIONS[action].actor is Actor.OWNER else owner

    with pytest.raises(NotAllowed):
        take(action, submission, actor=wrong)

    submission.refresh_from_db()
    assert submission.state == state


@pytest.mark.django_db
def test_publish_by_the_editor_who_approved_is_refused_and_by_another_done():
    owner, first, second = make_person("Ada", "expert"), make_person("Ed", "editor"), make_person("Eve", "editor")
    submission = make_submission(owner, State.APPROVED)
    make_decision(submission, first, Decision.Kind.APPROVE)

    with pytest.raises(NotAllowed):
        take(Action.PUBLISH, submission, actor=first)
    take(Action.PUBLISH, submission, actor=second)

    submission.refresh_from_db()
    assert submission.state == State.PUBLISHED
