"""The desk of a reviewer: invitations, the next thing, what is sent, and settings."""

import html
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Subarea
from submissions.models import Assignment
from submissions.states import State
from tests.support.portal import (
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_submission,
)
from tests.support.reviewing import OWNER_NAME, body, in_review, page_of, reviewer_of, signed_in

pytestmark = pytest.mark.django_db


def test_queue_shows_what_is_blocked_with_the_reason_and_without_counting_it(client):
    person = make_person("Rita Reviewer", "reviewer", email="rita@clinic.example")
    owner = make_person("Ada Author", "expert", email="ada@clinic.example")
    blocked = make_submission(owner, State.IN_REVIEW)
    make_assignment(blocked.rounds.get(), person, "invited")
    signed_in(client, person)

    response = client.get("/review/")

    queue = response.context["queue"]
    assert [item.obstacle for item in queue.invitations] == ["It comes from your organisation."]
    assert (queue.n_waiting, queue.n_total) == (0, 0)
    assert page_of(blocked, "review-answer") not in body(response)


def test_queue_leaves_out_invitations_that_have_ended(client):
    submission = in_review()
    person, _ = reviewer_of(submission, state="invited")
    Assignment.objects.update(answer_by=timezone.now() - timedelta(minutes=1))

    response = signed_in(client, person).get("/review/")

    assert response.context["queue"].invitations == []
    assert "Nothing to review today." in body(response)


def test_queue_names_the_next_thing_and_skips_it_for_now(client):
    person = make_person("Rita Reviewer", "reviewer")
    first, second = (make_submission(make_person(f"Author {number}"), State.IN_REVIEW) for number in (1, 2))
    for submission, days in ((first, 3), (second, 9)):
        assignment = make_assignment(submission.rounds.get(), person)
        Assignment.objects.filter(pk=assignment.pk).update(due_at=timezone.now() + timedelta(days=days))
    signed_in(client, person)

    def next_one():
        return client.get("/review/").context["queue"].next.public_id

    seen = [next_one()]
    for submission in (first, second):
        client.post(page_of(submission, "review-skip"))
        seen.append(next_one())

    assert seen == [first.public_id, second.public_id, first.public_id]


@pytest.mark.parametrize(
    ("kind", "decision", "state", "outcome"),
    [
        ("approve", "waiting", State.IN_REVIEW, "in discussion"),
        ("reject", "held", State.IN_REVIEW, "in discussion"),
        ("approve", "sent", State.APPROVED, "approved"),
        ("approve", "sent", State.PUBLISHED, "published"),
        ("reject", "sent", State.REJECTED, "not accepted"),
        ("request_changes", "sent", State.CHANGES_REQUESTED, "changes requested"),
    ],
)
def test_outcome_is_told_only_once_the_letter_is_out(client, kind, decision, state, outcome):
    submission = in_review(state)
    person, assignment = reviewer_of(submission)
    make_review(assignment)
    make_decision(submission, make_person("Ed Editor", "editor"), kind, decision)

    queue = signed_in(client, person).get("/review/").context["queue"]

    assert [item.outcome for item in queue.sent] == [outcome]


@pytest.mark.parametrize(("roles", "status"), [((), 404), (("expert",), 404), (("reviewer",), 200), (("editor",), 200)])
def test_desk_is_for_reviewers_and_editors(client, roles, status):
    signed_in(client, make_person("Somebody", *roles))

    assert client.get("/review/").status_code == status


def test_desk_tab_of_editors_is_not_for_reviewers(client):
    signed_in(client, make_person("Rita Reviewer", "reviewer"))

    response = client.get("/review/?tab=all")

    assert response.templates[0].name == "submissions/reviewers/queue.html"


def test_complaint_08_filters_and_searches_of_the_desk_reach_nobody(client):
    """No parameter of the desk names people: what is asked for in the address changes nothing for a reviewer."""
    submission = in_review()
    person, _ = reviewer_of(submission)
    other, _ = reviewer_of(submission, "Rolf Reviewer")
    signed_in(client, person)

    asked = [f"/review/?{query}" for query in ("tab=all", "tab=outbox", f"person={other.pk}", "group=reviewers", "q=a")]
    text = "".join(body(client.get(address)) for address in asked)

    assert [name for name in ("Rolf", OWNER_NAME, other.email, submission.owner.email) if name in text] == []


@pytest.mark.parametrize(
    "posted", [{}, {"most_open": "0"}, {"most_open": "many"}, {"most_open": "3", "away_until": "x"}]
)
def test_settings_that_cannot_be_read_change_nothing(client, posted):
    person = make_person("Rita Reviewer", "reviewer")

    response = signed_in(client, person).post("/review/settings/", posted)

    person.reviewer.refresh_from_db()
    assert (response.status_code, person.reviewer.most_open) == (422, 4)


def test_settings_are_kept(client):
    person = make_person("Rita Reviewer", "reviewer")
    chosen = signed_in(client, person).get("/review/settings/").context["areas"][0][1][0][0]

    client.post(
        "/review/settings/",
        {"subareas": [chosen.pk], "most_open": "2", "away_until": "2027-01-31", "wants_credit": "on"},
    )

    kept = person.reviewer
    kept.refresh_from_db()
    assert (kept.most_open, str(kept.away_until), kept.wants_credit) == (2, "2027-01-31", True)
    assert list(kept.subareas.all()) == [chosen]


def test_areas_are_called_as_in_the_form_of_authors(client):
    Subarea.objects.filter(slug="agency-purpose").update(plain_name="Making one's own choices")
    client.force_login(make_person("Rita Reviewer", "reviewer"))

    page = html.unescape(client.get("/review/settings/").content.decode())

    assert "Making one's own choices" in page
