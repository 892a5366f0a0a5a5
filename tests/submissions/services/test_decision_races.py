"""Two at the same moment: one decision, one letter, one place under the cap."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from impactbench.common.errors import DomainError
from impactbench.common.models import OutgoingMail
from submissions.models import Assignment, Decision
from submissions.services.decision_choice import Choice, Point, Sending
from submissions.services.decisions import decide, release, undo
from submissions.services.rounds import open_round
from submissions.states import State
from tests.support.portal import make_person, make_submission

pytestmark = pytest.mark.django_db(transaction=True)
REJECT = Choice("reject", (Point("definition", "Two things in one."),))


def together(*acts: Any) -> list[Any]:
    """What each gives, or the DomainError it ends with; all at once, each with a connection of its own."""

    def run(act: Any) -> Any:
        try:
            return act()
        except DomainError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [task.result() for task in [pool.submit(run, act) for act in acts]]


def test_release_by_four_at_once_sends_one_letter():
    editor = make_person("Ed Editor", "editor")
    submission = make_submission(make_person("Ada Author", "expert"), State.SUBMITTED)
    decision = decide(submission, REJECT, actor=editor, sending=Sending.SOON)
    Decision.objects.update(release_at=timezone.now() - timedelta(minutes=1))

    together(*[lambda: release(decision)] * 4)

    assert OutgoingMail.objects.filter(event="decision-letter").count() == 1


def test_decide_by_two_editors_at_once_leaves_one_open_decision():
    editors = [make_person(name, "editor") for name in ("Ed Editor", "Eve Editor")]
    submission = make_submission(make_person("Ada Author", "expert"), State.SUBMITTED)

    together(*[lambda one=one: decide(submission, REJECT, actor=one, sending=Sending.HOLD) for one in editors])

    assert Decision.objects.filter(state__in=["waiting", "held"]).count() == 1


def test_undo_beside_a_release_is_one_or_the_other():
    editor = make_person("Ed Editor", "editor")
    submission = make_submission(make_person("Ada Author", "expert"), State.SUBMITTED)
    decision = decide(submission, REJECT, actor=editor, sending=Sending.SOON)
    Decision.objects.update(release_at=timezone.now() - timedelta(minutes=1))

    together(lambda: release(decision), lambda: undo(decision, actor=editor))

    decision.refresh_from_db()
    submission.refresh_from_db()
    ends = (decision.state, submission.state, OutgoingMail.objects.count())
    assert ends in {("sent", "rejected", 1), ("undone", "submitted", 0)}


def test_open_round_by_two_editors_at_once_opens_one_round_and_asks_once():
    editors = [make_person(name, "editor") for name in ("Ed Editor", "Eve Editor")]
    person = make_person("Rita Reviewer", "reviewer")
    submission = make_submission(make_person("Ada Author", "expert"), State.SUBMITTED)
    now = timezone.now()
    dates = {"answer_by": now + timedelta(days=3), "due_at": now + timedelta(days=14)}

    together(*[lambda one=one: open_round(submission, actor=one, people=[person], **dates) for one in editors])

    assert (submission.rounds.count(), Assignment.objects.count(), OutgoingMail.objects.count()) == (1, 1, 1)
