"""When one may send."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from impactbench.common.errors import DomainError
from submissions.models import Call, Extension, Submission
from submissions.services import calls
from submissions.services.calls import Door
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import State
from tests.support.portal import make_person, make_submission

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def owner() -> Any:
    return make_person("Ada", "expert")


def _call(slug: str, opens: float, closes: float | None) -> Call:
    """A call that opens and closes so many hours from now."""
    closes_at = None if closes is None else NOW + timedelta(hours=closes)
    return Call.objects.create(slug=slug, title=slug, opens_at=NOW + timedelta(hours=opens), closes_at=closes_at)


def _draft(owner: Any, call: Call, hours_old: float) -> Submission:
    return make_submission(owner, call=call, created_at=NOW - timedelta(hours=hours_old))


def test_open_calls_are_listed_by_their_end() -> None:
    _call("past", -9, -1)
    _call("always", -9, None)
    _call("late", -9, 9)
    _call("soon", -9, 1)
    _call("future", 1, 9)

    assert [call.slug for call in calls.open_calls(NOW)] == ["soon", "late", "always"]
    found = calls.next_call(NOW)
    assert found is not None
    assert found.slug == "future"


@pytest.mark.parametrize(
    ("closes", "hours_old", "door"),
    [(1, 5, Door.OPEN), (-1, 5, Door.GRACE), (-1, 0.5, Door.CLOSED), (-12.5, 50, Door.CLOSED), (None, 5, Door.OPEN)],
)
def test_doors_of_a_call(owner: Any, closes: float | None, hours_old: float, door: Door) -> None:
    assert calls.window_of(_draft(owner, _call("c", -99, closes), hours_old), NOW).door is door


def test_a_closed_call_names_what_is_open_and_what_comes(owner: Any) -> None:
    other, later = _call("other", -9, 9), _call("later", 99, None)

    window = calls.window_of(_draft(owner, _call("c", -99, -50), 80), NOW)

    assert (window.is_open, window.others, window.next_call) == (False, (other,), later)


def test_time_that_is_over_or_was_refused_opens_nothing(owner: Any) -> None:
    draft = _draft(owner, _call("c", -99, -50), 80)
    Extension.objects.create(submission=draft, until=NOW - timedelta(hours=1), granted_by=make_person("Ed", "editor"))
    Extension.objects.create(submission=draft, answered_at=NOW, granted_by=make_person("Eve", "editor"))

    assert calls.window_of(draft, NOW).door is Door.CLOSED


def test_a_draft_moves_to_a_call_that_is_open(owner: Any) -> None:
    draft, other = _draft(owner, _call("c", -99, -50), 80), _call("other", -9, 9)

    calls.move_to(draft, other, actor=owner)

    assert Submission.objects.get(pk=draft.pk).call == other


def test_moving_is_refused_to_others_after_sending_and_into_closed_calls(owner: Any) -> None:
    closed, other = _call("c", -99, -50), _call("other", -9, 9)

    with pytest.raises(NotAllowed):
        calls.move_to(make_submission(owner), other, actor=make_person("Ben", "expert", "editor"))
    with pytest.raises(WrongState):
        calls.move_to(make_submission(owner, State.SUBMITTED), other, actor=owner)
    with pytest.raises(DomainError):
        calls.move_to(make_submission(owner), closed, actor=owner)


def test_more_time_is_not_asked_for_what_is_with_others(owner: Any) -> None:
    with pytest.raises(WrongState):
        calls.ask_for_time(make_submission(owner, State.IN_REVIEW), actor=owner, reason="Please.")
