"""The form of a review: everything typed is kept, whatever happens to it."""

import json

import pytest

from submissions.models import Review
from submissions.states import State
from tests.support.portal import (
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_submission,
)
from tests.support.reviewing import WHOLE, body, in_review, page_of, reviewer_of, signed_in

pytestmark = pytest.mark.django_db


def test_save_by_script_answers_with_the_new_version(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(
        page_of(submission), {"version": "0", "clarity": "2", "a": "save"}, headers={"accept": "application/json"}
    )

    answer = json.loads(body(response))
    assert (answer["version"], answer["n_answered"]) == (1, 1)
    assert Review.objects.get().answers["clarity"]["value"] == 2


def test_complaint_03_unfinished_review_is_kept_with_a_summary_in_the_title_and_focus(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(page_of(submission), {**WHOLE, "clarity": "", "version": "0", "a": "send"})

    text = body(response)
    assert response.status_code == 422
    assert "<title>Problem: Review" in text
    assert 'tabindex="-1" autofocus aria-labelledby="h-problems"' in text
    assert '<a href="#c-clarity">Clear: choose one of the four' in text
    assert (Review.objects.get().for_author, Review.objects.get().sent_at) == ("Good work.", None)


def test_complaint_04_stale_form_gets_both_texts_and_overwrites_nothing(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.post(page_of(submission), {"for_author": "FROM THE OTHER WINDOW", "version": "0"})

    response = client.post(page_of(submission), {"for_author": "FROM THIS PAGE", "version": "0"})

    text = body(response)
    assert response.status_code == 409
    assert (text.count("FROM THE OTHER WINDOW"), text.count("FROM THIS PAGE")) == (1, 2)
    assert 'name="version" value="1"' in text
    assert Review.objects.get().for_author == "FROM THE OTHER WINDOW"


def test_refused_change_comes_back_with_its_text(client):
    submission = in_review()
    person, assignment = reviewer_of(submission)
    make_review(assignment)
    make_decision(submission, make_person("Ed Editor", "editor"), "approve", "waiting")
    signed_in(client, person)

    response = client.post(page_of(submission), {**WHOLE, "for_author": "MY LATE WORDS", "version": "1", "a": "send"})

    text = body(response)
    assert (response.status_code, "MY LATE WORDS" in text, "The editors are deciding" in text) == (409, True, True)
    assert Review.objects.get().for_author == "Clear and useful."


def test_complaint_01_review_sent_after_the_session_ended_comes_back_with_its_text(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.logout()

    page = client.post(page_of(submission), {**WHOLE, "for_author": "LONG WORDS", "version": "0"})
    script = client.post(page_of(submission), WHOLE, headers={"accept": "application/json"})

    assert (page.status_code, "LONG WORDS" in body(page)) == (403, True)
    assert script.status_code == 401


def test_next_leads_to_the_next_open_review(client):
    person = make_person("Rita Reviewer", "reviewer")
    one, other = (make_submission(make_person(f"Author {number}"), State.IN_REVIEW) for number in (1, 2))
    for submission in (one, other):
        make_assignment(submission.rounds.get(), person)
    signed_in(client, person)

    response = client.post(page_of(one), {**WHOLE, "version": "0", "a": "next"})

    assert (response.status_code, response.url) == (302, page_of(other))


def test_comment_that_is_refused_comes_back_with_its_text_and_audience(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    signed_in(client, person)

    response = client.post(page_of(submission, "review-comments"), {"text": "MY WORDS", "audience": "seat-9"})

    assert (response.status_code, "MY WORDS" in body(response)) == (422, True)
