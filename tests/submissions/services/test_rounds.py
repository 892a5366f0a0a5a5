"""Opening rounds, asking people, and reminding them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from impactbench.common.errors import DomainError
from impactbench.common.models import OutgoingMail
from submissions.models import Assignment, Conflict, Reviewer, Seat
from submissions.services.rounds import (
    ask,
    cancel,
    change_dates,
    close,
    expire,
    open_round,
    remind,
    reopen_for,
)
from submissions.services.suitability import suggestions
from submissions.services.transitions import NotAllowed
from submissions.standing import Standing, standing_of
from submissions.states import State
from tests.support.portal import CONTENT, make_assignment, make_person, make_review, make_revision, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return {
        "owner": make_person("Ada Author", "expert"),
        "editor": make_person("Ed Editor", "editor"),
        "one": make_person("Rita Reviewer", "reviewer"),
        "two": make_person("Rolf Reader", "reviewer"),
    }


def dates(days=14):
    now = timezone.now()
    return {"answer_by": now + timedelta(days=3), "due_at": now + timedelta(days=days)}


def letters(**about):
    return list(OutgoingMail.objects.filter(**about).order_by("pk").values_list("event", "recipient__name", "state"))


def test_open_round_asks_each_person_once_and_sits_them(people):
    submission = make_submission(people["owner"], State.SUBMITTED)

    opened = open_round(submission, actor=people["editor"], people=[people["one"], people["two"]], **dates())
    again = ask(opened, [people["one"]], actor=people["editor"], **dates())

    assert again == []
    submission.refresh_from_db()
    assert submission.state == State.IN_REVIEW
    assert sorted(Seat.objects.values_list("person__name", "number")) == [("Rita Reviewer", 1), ("Rolf Reader", 2)]
    assert letters() == [
        ("review-asked", "Rita Reviewer", "waiting"),
        ("review-asked", "Rolf Reader", "waiting"),
    ]


def test_open_round_with_one_unsuitable_person_changes_nothing(people):
    submission = make_submission(people["owner"], State.SUBMITTED)
    Conflict.objects.create(submission=submission, person=people["two"], kind="found")

    with pytest.raises(DomainError, match="Rolf Reader cannot review"):
        open_round(submission, actor=people["editor"], people=[people["one"], people["two"]], **dates())

    submission.refresh_from_db()
    assert (submission.state, submission.rounds.count(), letters()) == (State.SUBMITTED, 0, [])


def test_ask_beyond_the_cap_is_refused(people):
    other, submission = (make_submission(people["owner"], State.IN_REVIEW) for _ in range(2))
    people["one"].reviewer.most_open = 1
    people["one"].reviewer.save()
    make_assignment(other.rounds.get(), people["one"])

    with pytest.raises(DomainError, match="has no room now"):
        ask(submission.rounds.get(), [people["one"]], actor=people["editor"], **dates())

    assert submission.rounds.get().assignments.count() == 0


def test_ask_by_the_owner_who_is_an_editor_is_refused(people):
    owner = make_person("Olga Owner", "expert", "editor")
    submission = make_submission(owner, State.IN_REVIEW)

    with pytest.raises(NotAllowed):
        ask(submission.rounds.get(), [people["one"]], actor=owner, **dates())


def test_letter_to_a_reviewer_names_nobody(people):
    submission = make_submission(people["owner"], State.SUBMITTED)

    open_round(submission, actor=people["editor"], people=[people["one"], people["two"]], **dates())

    texts = " ".join(f"{mail.subject} {mail.text}" for mail in OutgoingMail.objects.all())
    assert [name for name in ("Ada", "Ed Editor", "Rita", "Rolf") if name in texts] == []


def test_suggestions_leave_out_who_must_not_review_without_a_trace(people):
    owner = people["owner"]
    make_person("Carl Colleague", "reviewer", email="carl@ada-author.example")
    named, mailed = make_person("Nora Named", "reviewer"), make_person("Mia Mailed", "reviewer")
    conflicted, coauthor = make_person("Cora Conflict", "reviewer"), make_person("Cleo Coauthor", "reviewer")
    text = "Please not nora  named, nor mia-mailed@mia-mailed.example."
    submission = make_submission(owner, State.SUBMITTED, content=replace(CONTENT, not_reviewers=text))
    Conflict.objects.create(submission=submission, person=conflicted, kind="found")
    submission.co_authors.create(email=coauthor.email)
    submission.author_domains = ["ada-author.example"]
    submission.save()

    names = [item.name for item in suggestions(submission, viewer=people["editor"])]

    assert [person for person in (named, mailed) if person.name in names] == []
    assert names == ["Rita Reviewer", "Rolf Reader"]


def test_somebody_made_a_reviewer_who_never_opened_their_settings_is_suggested_and_can_be_asked(people):
    Reviewer.objects.all().delete()
    submission = make_submission(people["owner"], State.SUBMITTED)

    names = [item.name for item in suggestions(submission, viewer=people["editor"])]
    open_round(submission, actor=people["editor"], people=[people["one"], people["two"]], **dates())

    assert names == ["Rita Reviewer", "Rolf Reader"]
    assert Assignment.objects.filter(round__submission=submission).count() == 2


def test_remind_twice_on_a_day_writes_one_letter(people):
    assignment = make_assignment(make_submission(people["owner"], State.IN_REVIEW).rounds.get(), people["one"])

    told = [remind(assignment, actor=people["editor"]), remind(assignment, actor=people["editor"]), remind(assignment)]

    assert told == [True, False, False]
    assert letters() == [("review-reminder", "Rita Reviewer", "waiting")]


def test_remind_of_finished_work_is_refused(people):
    assignment = make_assignment(make_submission(people["owner"], State.IN_REVIEW).rounds.get(), people["one"])
    make_review(assignment)

    with pytest.raises(DomainError, match="nothing left to do"):
        remind(assignment, actor=people["editor"])

    assert letters() == []


def test_cancel_before_the_letter_left_writes_nothing_to_the_person(people):
    submission = make_submission(people["owner"], State.SUBMITTED)
    opened = open_round(submission, actor=people["editor"], people=[people["one"]], **dates())

    cancel(opened.assignments.get(), actor=people["editor"])

    assert letters() == [("review-asked", "Rita Reviewer", "cancelled")]


def test_cancel_of_one_who_has_read_it_keeps_them_a_reviewer_for_good(people):
    both = make_person("Bea Both", "reviewer", "editor")
    submission = make_submission(people["owner"], State.IN_REVIEW)
    assignment = make_assignment(submission.rounds.get(), both)
    assignment.answered_at = timezone.now()
    assignment.save()

    cancel(assignment, actor=people["editor"])

    assert standing_of(both, submission) is Standing.REVIEWER
    assert letters() == [("review-cancelled", "Bea Both", "waiting")]


def test_ask_again_after_a_cancelled_invitation_writes_a_new_letter(people):
    submission = make_submission(people["owner"], State.SUBMITTED)
    opened = open_round(submission, actor=people["editor"], people=[people["one"]], **dates())
    OutgoingMail.objects.update(state="sent", sent_at=timezone.now())
    cancel(opened.assignments.get(), actor=people["editor"])

    ask(opened, [people["one"]], actor=people["editor"], **dates())

    assert opened.assignments.get().state == Assignment.State.INVITED
    assert [event for event, _, _ in letters()] == ["review-asked", "review-cancelled", "review-asked"]


def test_change_dates_tells_the_person_once(people):
    assignment = make_assignment(make_submission(people["owner"], State.IN_REVIEW).rounds.get(), people["one"])
    chosen = dates(30)

    change_dates(assignment, actor=people["editor"], **chosen)
    change_dates(assignment, actor=people["editor"], **chosen)

    assignment.refresh_from_db()
    assert assignment.due_at == chosen["due_at"]
    assert letters() == [("review-dates", "Rita Reviewer", "waiting")]


def test_reopen_for_brings_back_those_at_work_and_may_still_review(people):
    submission = make_submission(people["owner"], State.IN_REVIEW)
    first = submission.rounds.get()
    gone = make_person("Gus Gone", "reviewer")
    for person, state in ((people["one"], "done"), (people["two"], "declined"), (gone, "accepted")):
        make_assignment(first, person, state)
    Conflict.objects.create(submission=submission, person=gone, kind="declared")
    close(first)

    second = reopen_for(make_revision(submission))

    seated = list(second.assignments.values_list("person__name", "state"))
    assert (second.number, seated) == (2, [("Rita Reviewer", "accepted")])
    assert letters() == [("review-again", "Rita Reviewer", "waiting")]


def test_close_ends_invitations_and_takes_back_letters(people):
    submission = make_submission(people["owner"], State.SUBMITTED)
    opened = open_round(submission, actor=people["editor"], people=[people["one"]], **dates())

    close(opened)
    close(opened)

    assert opened.assignments.get().state == Assignment.State.CANCELLED
    assert letters() == [("review-asked", "Rita Reviewer", "cancelled")]


def test_expire_ends_an_unanswered_invitation_and_leaves_an_answered_one(people):
    submission = make_submission(people["owner"], State.IN_REVIEW)
    late = make_assignment(submission.rounds.get(), people["one"], "invited")
    answered = make_assignment(submission.rounds.get(), people["two"], "accepted")
    Assignment.objects.update(answer_by=timezone.now() - timedelta(hours=1))

    assert [expire(late), expire(answered)] == [True, False]
    assert list(Assignment.objects.order_by("pk").values_list("state", flat=True)) == ["cancelled", "accepted"]


def test_open_round_after_a_reopening_goes_on_with_the_same_round(people):
    submission = make_submission(people["owner"], State.SUBMITTED)
    first = open_round(submission, actor=people["editor"], people=[people["one"]], **dates())
    make_review(first.assignments.get())
    close(first)
    submission.state = State.SUBMITTED
    submission.save()

    second = open_round(submission, actor=people["editor"], people=[], **dates())

    assert (second.pk, second.closed_at) == (first.pk, None)
