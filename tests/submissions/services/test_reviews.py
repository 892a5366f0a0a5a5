"""Reviews: kept at every step, sent only when complete, never overwritten, closed once the editors decide."""

from dataclasses import replace

import pytest
from django.utils import timezone

from impactbench.common.mail import mails_about
from submissions.models import Assignment, Decision, Review
from submissions.reviewing import Answer, ReviewText, differences, problems, written_in
from submissions.rubric import CRITERION_KEYS
from submissions.services.reviews import StaleReview, UnfinishedReview, save_review, send_review
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import State
from tests.support.portal import make_assignment, make_decision, make_person, make_submission

pytestmark = pytest.mark.django_db
WHOLE = ReviewText({key: Answer("3", "") for key in CRITERION_KEYS}, "Good work.", "A remark.", "approve")
EMPTY = ReviewText({key: Answer() for key in CRITERION_KEYS})
HALF = replace(EMPTY, for_author="So far")


def accepted():
    submission = make_submission(make_person("Ada Author", "expert"), State.IN_REVIEW)
    reviewer = make_person("Rita Reviewer", "reviewer")
    return make_assignment(submission.rounds.get(), reviewer), reviewer


def kept(assignment):
    return written_in(Review.objects.get(assignment=assignment), "negative")


def test_save_keeps_half_a_review():
    assignment, reviewer = accepted()

    review = save_review(assignment, HALF, version=0, actor=reviewer)

    assert (review.version, review.sent_at, kept(assignment)) == (1, None, HALF)


def test_save_round_trips_every_field():
    assignment, reviewer = accepted()
    answers = {key: Answer(value, f"On {key}") for key, value in zip(CRITERION_KEYS, "1234" * 2, strict=True)}
    answers["single"] = Answer("abstain", "Not mine to say")
    text = ReviewText(answers, "For\nthe author", "For the editors", "changes")

    save_review(assignment, text, version=0, actor=reviewer)

    assert kept(assignment) == text


def test_save_of_the_same_text_changes_nothing():
    assignment, reviewer = accepted()
    save_review(assignment, HALF, version=0, actor=reviewer)

    again = save_review(assignment, HALF, version=0, actor=reviewer)

    assert again.version == 1


@pytest.mark.parametrize("version", [0, 1, 7])
def test_complaint_04_two_windows_of_a_review_do_not_overwrite_each_other(version):
    assignment, reviewer = accepted()
    save_review(assignment, HALF, version=0, actor=reviewer)
    newest = replace(HALF, for_author="From the other window")
    save_review(assignment, newest, version=1, actor=reviewer)

    with pytest.raises(StaleReview) as caught:
        save_review(assignment, replace(HALF, for_author="From this window"), version=version, actor=reviewer)

    assert kept(assignment) == newest
    assert caught.value.review.version == 2


def test_answers_keep_the_wording_they_were_given_to():
    assignment, reviewer = accepted()

    review = send_review(assignment, WHOLE, version=0, actor=reviewer)

    assert review.answers["polarity"] == {
        "value": 3,
        "comment": "",
        "question": "Is it bad for the person whenever it happens?",
        "anchor": "Nearly always bad",
    }


def test_complaint_03_unfinished_review_is_kept_though_it_is_not_sent():
    assignment, reviewer = accepted()

    with pytest.raises(UnfinishedReview) as caught:
        send_review(assignment, HALF, version=0, actor=reviewer)

    assert kept(assignment) == HALF
    assert [item.part for item in caught.value.problems] == [*CRITERION_KEYS, "advice"]
    assert Assignment.objects.get().state == "accepted"


def test_problems_of_a_whole_review_are_none():
    assert problems(WHOLE, "negative") == []


def test_problems_accept_an_abstention_as_an_answer():
    answers = {**WHOLE.answers, "realism": Answer("abstain", "")}

    assert problems(replace(WHOLE, answers=answers), "negative") == []


def test_send_tells_the_editors_once_even_after_two_clicks():
    assignment, reviewer = accepted()
    make_person("Ed Editor", "editor")

    first = send_review(assignment, WHOLE, version=0, actor=reviewer)
    second = send_review(assignment, WHOLE, version=0, actor=reviewer)

    assert second.sent_at == first.sent_at
    assert list(mails_about(assignment).values_list("event", "recipient__name")) == [("review-sent", "Ed Editor")]


def test_letter_about_a_sent_review_holds_none_of_its_text():
    assignment, reviewer = accepted()
    make_person("Ed Editor", "editor")

    send_review(assignment, WHOLE, version=0, actor=reviewer)

    (mail,) = mails_about(assignment)
    assert ("Good work" in mail.text, "A remark" in mail.text, "Rita" in mail.text) == (False, False, False)


def test_change_of_a_sent_review_is_read_by_others_only_once_sent():
    assignment, reviewer = accepted()
    sent = send_review(assignment, WHOLE, version=0, actor=reviewer)
    changed = replace(WHOLE, for_author="Better words.")

    saved = save_review(assignment, changed, version=sent.version, actor=reviewer)
    before = (saved.for_author, kept(assignment).for_author)
    send_review(assignment, changed, version=saved.version, actor=reviewer)

    after = Review.objects.get()
    assert before == ("Good work.", "Better words.")
    assert (after.for_author, after.draft, after.sent_at) == ("Better words.", None, sent.sent_at)


def test_change_of_a_sent_review_that_lacks_something_leaves_the_sent_one():
    assignment, reviewer = accepted()
    sent = send_review(assignment, WHOLE, version=0, actor=reviewer)

    with pytest.raises(UnfinishedReview):
        send_review(assignment, replace(WHOLE, for_author=""), version=sent.version, actor=reviewer)

    assert Review.objects.get().for_author == "Good work."


@pytest.mark.parametrize("state", ["waiting", "held"])
def test_review_is_closed_while_a_letter_waits(state):
    assignment, reviewer = accepted()
    make_decision(assignment.round.submission, make_person("Ed Editor", "editor"), "approve", state)

    with pytest.raises(WrongState, match="The editors are deciding"):
        save_review(assignment, HALF, version=0, actor=reviewer)


def test_review_is_open_while_a_decision_is_a_draft_or_undone():
    assignment, reviewer = accepted()
    editor, submission = make_person("Ed Editor", "editor"), assignment.round.submission
    make_decision(submission, editor, "approve", Decision.State.UNDONE)
    make_decision(submission, editor, "approve", Decision.State.DRAFT)

    assert save_review(assignment, HALF, version=0, actor=reviewer).version == 1


def test_review_of_a_closed_round_is_refused():
    assignment, reviewer = accepted()
    round_ = assignment.round
    round_.closed_at = timezone.now()
    round_.save()

    with pytest.raises(WrongState, match="round of review is over"):
        send_review(assignment, WHOLE, version=0, actor=reviewer)


def test_complaint_22_editor_can_answer_as_the_reviewer():
    """Nobody writes a review but the person who was asked."""
    assignment, _ = accepted()
    editor = make_person("Ed Editor", "editor", "reviewer", "operator")

    with pytest.raises(NotAllowed):
        send_review(assignment, WHOLE, version=0, actor=editor)

    assert Review.objects.count() == 0


def test_review_before_the_invitation_is_accepted_is_refused():
    assignment, reviewer = accepted()
    Assignment.objects.update(state="invited")

    with pytest.raises(NotAllowed):
        save_review(assignment, HALF, version=0, actor=reviewer)


def test_differences_name_only_what_differs():
    mine = replace(WHOLE, advice="reject", answers={**WHOLE.answers, "clarity": Answer("1", "")})

    found = [(item.name, item.stored, item.mine) for item in differences(WHOLE, mine, "negative")]

    assert found == [
        ("Clear", "3: Mostly the same", "1: They would argue"),
        ("Your advice", "Approve as it is", "Do not accept"),
    ]
