"""What the clock writes, and how often."""

from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.utils import timezone

from impactbench.common.mail_delivery import deliver_due
from impactbench.common.models import OutgoingMail
from submissions.models import Assignment
from submissions.services.decision_choice import Choice, Point, Sending
from submissions.services.decisions import decide
from submissions.services.reminders import keep_reviews_going, release_due_decisions
from submissions.services.rounds import remind
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    return make_person("Ed Editor", "editor")


def asked(editor, *, state="accepted", due=timedelta(0), answer=timedelta(days=1)):
    submission = make_submission(make_person("Ada Author", "expert"), State.IN_REVIEW)
    assignment = make_assignment(submission.rounds.get(), make_person("Rita Reviewer", "reviewer"), state)
    now = timezone.now()
    assignment.asked_at, assignment.due_at, assignment.answer_by = now - timedelta(days=9), now + due, now + answer
    assignment.asked_by = editor
    assignment.save()
    return assignment


def written(event):
    return OutgoingMail.objects.filter(event=event).count()


def test_complaint_14_reminders_come_once_a_day_however_often_the_clock_runs(editor):
    asked(editor, due=timedelta(days=3))

    for _ in range(6):
        keep_reviews_going()

    assert written("review-reminder") == 1


def test_complaint_14_the_clock_does_not_add_to_an_editors_reminder(editor):
    assignment = asked(editor, due=timedelta(days=3))
    remind(assignment, actor=editor)

    keep_reviews_going()

    assert written("review-reminder") == 1


def test_complaint_14_no_reminder_arrives_for_work_that_was_finished_meanwhile(editor):
    assignment = asked(editor, due=timedelta(days=3))
    keep_reviews_going()
    make_review(assignment)

    deliver_due()
    again = keep_reviews_going()

    assert (outbox.outbox, again["reminded"]) == ([], 0)
    assert OutgoingMail.objects.get(event="review-reminder").state == "cancelled"


@pytest.mark.parametrize(("days", "n"), [(4, 0), (3, 1), (2, 0), (0, 1), (-1, 0), (-3, 1), (-7, 1), (-8, 0)])
def test_keep_reviews_going_reminds_on_four_days_only(editor, days, n):
    asked(editor, due=timedelta(days=days))

    assert keep_reviews_going()["reminded"] == n


def test_keep_reviews_going_ends_invitations_and_tells_the_editors_once(editor):
    assignment = asked(editor, state="invited", answer=timedelta(hours=-1))

    first, second = keep_reviews_going(), keep_reviews_going()

    assignment.refresh_from_db()
    assert (first["expired"], second["expired"]) == (1, 0)
    assert assignment.state == Assignment.State.CANCELLED
    assert written("invitation-expired") == 1


def test_keep_reviews_going_tells_editors_of_a_late_review_once(editor):
    asked(editor, due=timedelta(days=-5))

    for _ in range(3):
        keep_reviews_going()

    told = OutgoingMail.objects.filter(event="review-overdue").values_list("recipient__name", flat=True)
    assert list(told) == ["Ed Editor"]


def test_keep_reviews_going_tells_no_editor_who_wrote_it(editor):
    owner = make_person("Olga Owner", "expert", "editor")
    submission = make_submission(owner, State.IN_REVIEW)
    assignment = make_assignment(submission.rounds.get(), make_person("Rita Reviewer", "reviewer"))
    Assignment.objects.filter(pk=assignment.pk).update(due_at=timezone.now() - timedelta(days=5))

    keep_reviews_going()

    assert list(OutgoingMail.objects.values_list("recipient__name", flat=True)) == ["Ed Editor"]


def test_release_due_decisions_lets_only_those_go_whose_time_has_come(editor):
    points = (Point("definition", "Keep one."),)
    submissions = [make_submission(make_person(f"Ada {n}", "expert"), State.SUBMITTED) for n in "ABC"]
    for submission, sending in zip(submissions, (Sending.SOON, Sending.SOON, Sending.HOLD), strict=True):
        decide(submission, Choice("reject", points), actor=editor, sending=sending)
    first = submissions[0].decisions.get()
    first.release_at = timezone.now() - timedelta(minutes=1)
    first.save()

    released = [release_due_decisions(), release_due_decisions()]

    assert released == [1, 0]
    assert [type(one).objects.get(pk=one.pk).state for one in submissions] == ["rejected", "submitted", "submitted"]
