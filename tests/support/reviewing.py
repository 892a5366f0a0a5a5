"""What the tests of reviewers' pages share: a submission in review, its reviewers, and reading pages."""

from django.urls import reverse

from submissions.models import Assignment
from submissions.rubric import CRITERION_KEYS
from submissions.states import State
from tests.support.portal import make_assignment, make_person, make_submission

WHOLE = {**dict.fromkeys(CRITERION_KEYS, "3"), "for_author": "Good work.", "advice": "approve"}
OWNER_NAME = "Adelheid Ownersdottir"


def in_review(state=State.IN_REVIEW, **fields):
    """A submission in review, or another state, by one author."""
    return make_submission(make_person(OWNER_NAME, "expert"), state, **fields)


def reviewer_of(submission, name="Rita Reviewer", state=Assignment.State.ACCEPTED, roles=("reviewer",)):
    """A person with an assignment in its newest round, and the assignment."""
    person = make_person(name, *roles)
    return person, make_assignment(submission.rounds.order_by("-number").first(), person, state)


def page_of(submission, name="review"):
    """The address of a page of the submission."""
    return reverse(f"submissions:{name}", args=[submission.public_id])


def body(response):
    """The page as text."""
    return response.content.decode()


def signed_in(client, person):
    """The client with this person signed in."""
    client.force_login(person)
    return client
