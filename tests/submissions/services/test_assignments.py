"""Answers to invitations: the declaration of conflict, what stands against somebody, caps, seats, giving back."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.utils import timezone

from impactbench.accounts.models import RoleGrant
from impactbench.common.mail import mails_about
from submissions.models import Assignment, CoAuthor, Conflict, Reviewer
from submissions.services.assignments import (
    ConflictNotAnswered,
    TooMuchOpen,
    accept,
    declare_conflict,
    decline,
    hand_back,
    obstacle,
    open_load,
    seat_for,
)
from submissions.services.transitions import NotAllowed, WrongState
from submissions.standing import Standing, standing_of
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db
INVITED = Assignment.State.INVITED


def invited(reviewer=None, owner=None, **fields):
    reviewer = reviewer or make_person("Rita Reviewer", "reviewer")
    submission = make_submission(owner or make_person("Ada Author", "expert"), State.IN_REVIEW, **fields)
    return make_assignment(submission.rounds.get(), reviewer, INVITED), reviewer


def state_of(assignment):
    return Assignment.objects.get(pk=assignment.pk).state


def letters(assignment):
    return list(mails_about(assignment).values_list("event", "recipient__name"))


def test_accept_with_a_plain_no_opens_the_text():
    assignment, reviewer = invited()

    accept(assignment, actor=reviewer, no_conflict=True)

    assert state_of(assignment) == "accepted"
    assert standing_of(reviewer, assignment.round.submission) is Standing.REVIEWER


def test_accept_without_an_answer_on_conflicts_changes_nothing():
    assignment, reviewer = invited()

    with pytest.raises(ConflictNotAnswered):
        accept(assignment, actor=reviewer, no_conflict=False)

    assert state_of(assignment) == "invited"


def test_accept_twice_is_one_answer():
    assignment, reviewer = invited()
    first = accept(assignment, actor=reviewer, no_conflict=True)

    again = accept(assignment, actor=reviewer, no_conflict=True)

    assert again.answered_at == first.answered_at


def test_accept_by_somebody_else_is_refused():
    assignment, _ = invited()
    editor = make_person("Ed Editor", "editor", "reviewer")

    with pytest.raises(NotAllowed):
        accept(assignment, actor=editor, no_conflict=True)

    assert state_of(assignment) == "invited"


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_invitation_that_has_ended_cannot_be_accepted_but_declined(answer):
    assignment, reviewer = invited()
    Assignment.objects.update(answer_by=timezone.now() - timedelta(minutes=1))

    if answer == "accept":
        with pytest.raises(WrongState, match="has ended"):
            accept(assignment, actor=reviewer, no_conflict=True)
        assert state_of(assignment) == "invited"
    else:
        decline(assignment, actor=reviewer)
        assert state_of(assignment) == "declined"


def test_accept_after_the_author_withdrew_is_refused():
    assignment, reviewer = invited()
    submission = assignment.round.submission
    submission.state = State.WITHDRAWN
    submission.save()

    with pytest.raises(WrongState):
        accept(assignment, actor=reviewer, no_conflict=True)


def test_declared_conflict_keeps_the_text_shut_and_tells_the_editors_once():
    assignment, reviewer = invited()
    make_person("Ed Editor", "editor")

    declare_conflict(assignment, actor=reviewer, reason="We share an office.")
    declare_conflict(assignment, actor=reviewer, reason="We share an office.")

    conflict = Conflict.objects.get()
    assert (conflict.person, conflict.kind, conflict.reason) == (reviewer, "declared", "We share an office.")
    assert state_of(assignment) == "conflict"
    assert standing_of(reviewer, assignment.round.submission) is Standing.CONFLICTED
    assert letters(assignment) == [("review-conflict", "Ed Editor")]


def test_conflict_found_after_reading_leaves_a_reviewer_for_good():
    assignment, reviewer = invited(make_person("Rita Reviewer", "reviewer", "editor"))
    accept(assignment, actor=reviewer, no_conflict=True)
    submission = assignment.round.submission

    declare_conflict(assignment, actor=reviewer)
    during = standing_of(reviewer, submission)
    Conflict.objects.update(cleared_at=timezone.now())

    assert during is Standing.CONFLICTED
    assert standing_of(reviewer, submission) is Standing.REVIEWER


def test_decline_tells_the_editors_with_the_reason_made_harmless():
    assignment, reviewer = invited()
    make_person("Ed Editor", "editor")

    decline(assignment, actor=reviewer, reason="See https://spam.example/now")

    (mail,) = mails_about(assignment)
    assert state_of(assignment) == "declined"
    assert letters(assignment) == [("review-declined", "Ed Editor")]
    assert "https[:]//spam[.]example/now" in mail.text


def test_hand_back_keeps_what_was_written_and_the_standing():
    assignment, reviewer = invited()
    make_person("Ed Editor", "editor")
    accept(assignment, actor=reviewer, no_conflict=True)

    hand_back(assignment, actor=reviewer)

    assert state_of(assignment) == "handed_back"
    assert standing_of(reviewer, assignment.round.submission) is Standing.REVIEWER
    assert letters(assignment) == [("review-handed-back", "Ed Editor")]


def test_hand_back_of_a_sent_review_is_refused():
    assignment, reviewer = invited()
    make_review(assignment)

    with pytest.raises(WrongState):
        hand_back(assignment, actor=reviewer)


def test_obstacle_of_the_same_organisation_blocks_before_opening():
    reviewer = make_person("Rita Reviewer", "reviewer", email="rita@clinic.example")
    assignment, _ = invited(reviewer, make_person("Ada Author", "expert", email="ada@clinic.example"))

    with pytest.raises(NotAllowed, match="It comes from your organisation"):
        accept(assignment, actor=reviewer, no_conflict=True)

    assert state_of(assignment) == "invited"


def test_obstacle_of_a_public_mail_provider_is_none():
    reviewer = make_person("Rita Reviewer", "reviewer", email="rita@gmail.com")
    assignment, _ = invited(reviewer, make_person("Ada Author", "expert", email="ada@gmail.com"))

    assert obstacle(reviewer, assignment.round.submission) == ""


def test_obstacle_named_by_the_author_does_not_say_who_said_so():
    assignment, reviewer = invited()
    submission = assignment.round.submission
    Conflict.objects.create(submission=submission, person=reviewer, kind="named", reason="She is my rival.")

    assert obstacle(reviewer, submission) == "There is a conflict of interest."


def test_obstacle_of_who_wrote_it():
    assignment, _ = invited()
    submission = assignment.round.submission

    assert obstacle(submission.owner, submission) == "You wrote it."


def test_complaint_23_conflict_missed_because_of_unconfirmed_second_email():
    """Fails if only the confirmed first address counts."""
    reviewer = make_person("Rita Reviewer", "reviewer", email="rita@gmail.com")
    EmailAddress.objects.create(user=reviewer, email="Rita@Clinic.example", verified=False, primary=False)
    assignment, _ = invited(reviewer)
    submission = assignment.round.submission
    CoAuthor.objects.create(submission=submission, email="rita@clinic.example")

    with pytest.raises(NotAllowed, match="named as one of its authors"):
        accept(assignment, actor=reviewer, no_conflict=True)

    assert standing_of(reviewer, submission) is Standing.CONFLICTED


@pytest.mark.parametrize("state", ["invited", "declined", "confirmed"])
def test_complaint_23_missed_shared_co_author(state):
    """Who is or was asked to be a co-author never reviews it, whatever they answered."""
    reviewer = make_person("Rita Reviewer", "reviewer")
    assignment, _ = invited(reviewer)
    submission = assignment.round.submission
    CoAuthor.objects.create(submission=submission, email=reviewer.email, person=reviewer, state=state)

    with pytest.raises(NotAllowed):
        accept(assignment, actor=reviewer, no_conflict=True)

    assert state_of(assignment) == "invited"


def test_complaint_24_reviewer_load_counts_withdrawn_work():
    reviewer = make_person("Rita Reviewer", "reviewer")
    states = (State.IN_REVIEW, State.WITHDRAWN, State.REJECTED, State.APPROVED, State.CHANGES_REQUESTED)
    for number, state in enumerate(states):
        submission = make_submission(make_person(f"Author {number}"), state)
        make_assignment(submission.rounds.get(), reviewer)
    sent = make_submission(make_person("Author of a reviewed one"), State.IN_REVIEW)
    make_review(make_assignment(sent.rounds.get(), reviewer))

    assert open_load(reviewer) == 1


def test_cap_refuses_one_more_and_says_what_to_do():
    first, reviewer = invited()
    second, _ = invited(reviewer, make_person("Otto Other", "expert"))
    Reviewer.objects.update(most_open=1)
    accept(first, actor=reviewer, no_conflict=True)

    with pytest.raises(TooMuchOpen, match="at most 1"):
        accept(second, actor=reviewer, no_conflict=True)

    assert state_of(second) == "invited"


def test_seat_numbers_stay_for_life_and_are_never_used_again():
    submission = make_submission(make_person("Ada Author", "expert"), State.IN_REVIEW)
    people = [make_person(f"Reviewer {letter}", "reviewer") for letter in "ABC"]

    numbers = [seat_for(submission, person).number for person in people]

    assert numbers == [1, 2, 3]
    assert seat_for(submission, people[1]).number == 2


def test_role_taken_away_shuts_the_text_with_the_next_request():
    assignment, reviewer = invited()
    accept(assignment, actor=reviewer, no_conflict=True)
    RoleGrant.objects.filter(user=reviewer).delete()
    reviewer.refresh_from_db()

    assert standing_of(reviewer, assignment.round.submission) is Standing.NOBODY


@pytest.mark.django_db(transaction=True)
def test_cap_holds_when_two_are_accepted_at_the_same_moment():
    first, reviewer = invited()
    second, _ = invited(reviewer, make_person("Otto Other", "expert"))
    Reviewer.objects.update(most_open=1)
    barrier, outcomes = Barrier(2), []

    def answer(assignment):
        try:
            barrier.wait()
            accept(assignment, actor=reviewer, no_conflict=True)
            outcomes.append("accepted")
        except TooMuchOpen:
            outcomes.append("too much")
        finally:
            connection.close()

    threads = [Thread(target=answer, args=[one]) for one in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["accepted", "too much"]
    assert open_load(reviewer) == 1
