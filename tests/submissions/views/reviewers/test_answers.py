"""To whom a submission opens, and how an invitation is answered."""

from dataclasses import replace

import pytest

from impactbench.accounts.models import RoleGrant
from submissions.models import Conflict, Review
from tests.support.portal import (
    CONTENT,
    make_person,
)
from tests.support.reviewing import WHOLE, body, in_review, page_of, reviewer_of, signed_in

pytestmark = pytest.mark.django_db


def test_complaint_20_reviewer_opens_any_submission_by_url(client):
    """A reviewer without an assignment gets what an unknown id gets, at every address of the submission."""
    submission = in_review()
    signed_in(client, make_person("Rita Reviewer", "reviewer"))
    names = ["review", "review-answer", "review-hand-back", "review-skip", "review-comments", "own-comments"]

    answers = [client.get(page_of(submission)).status_code]
    answers += [client.post(page_of(submission, name)).status_code for name in names]
    unknown = [client.get("/review/S-222222/").status_code]

    assert (answers, unknown) == ([404] * 7, [404])


@pytest.mark.parametrize("state", ["declined", "conflict", "cancelled"])
def test_page_of_who_left_without_reading_is_not_there(client, state):
    submission = in_review()
    person, _ = reviewer_of(submission, state=state)

    assert signed_in(client, person).get(page_of(submission)).status_code == 404


def test_invited_person_reads_a_title_and_one_sentence_only(client):
    content = replace(CONTENT, construct="One sentence about it. HIDDEN second one.")
    submission = in_review(content=content)
    person, _ = reviewer_of(submission, state="invited")

    text = body(signed_in(client, person).get(page_of(submission)))

    hidden = ["HIDDEN", CONTENT.definition, CONTENT.hard_cases, CONTENT.relevance, CONTENT.examples_present[0]]
    assert [part for part in hidden if part in text] == []
    assert (CONTENT.title in text, "One sentence about it." in text) == (True, True)


def test_accept_needs_the_declaration_and_keeps_the_reason_that_was_typed(client):
    submission = in_review()
    person, assignment = reviewer_of(submission, state="invited")
    signed_in(client, person)

    refused = client.post(page_of(submission, "review-answer"), {"a": "accept", "reason": "MY WORDS"})
    assert (refused.status_code, "MY WORDS" in body(refused)) == (422, True)
    accepted = client.post(page_of(submission, "review-answer"), {"a": "accept", "conflict": "no"})

    assignment.refresh_from_db()
    assert (accepted.status_code, accepted.url, assignment.state) == (302, page_of(submission), "accepted")


def test_doubt_about_a_conflict_shuts_it_whichever_button_is_pressed(client):
    submission = in_review()
    person, assignment = reviewer_of(submission, state="invited")
    signed_in(client, person)

    client.post(page_of(submission, "review-answer"), {"a": "accept", "conflict": "yes"})

    assignment.refresh_from_db()
    assert (assignment.state, Conflict.objects.count()) == ("conflict", 1)
    assert client.get(page_of(submission)).status_code == 404


def test_role_taken_away_shuts_page_and_form_with_the_next_request(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    before = client.get(page_of(submission)).status_code
    RoleGrant.objects.filter(user=person).delete()

    after = [client.get(page_of(submission)).status_code, client.post(page_of(submission), WHOLE).status_code]

    assert (before, after, Review.objects.count()) == (200, [404, 404], 0)


@pytest.mark.parametrize("name", ["review-answer", "review-skip", "review-comments", "own-comments"])
def test_nothing_changes_by_following_a_link(client, name):
    submission = in_review()
    person, _ = reviewer_of(submission)

    assert signed_in(client, person).get(page_of(submission, name)).status_code == 405
