"""The large pages of the portal ask the database as often for much talk as for little."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from submissions.models import Comment, Submission
from submissions.states import State
from tests.submissions.access.people_and_states import client_of
from tests.support.portal import make_assignment, make_decision, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db
# The most questions that one look at a page costs, whoever says how much.
MOST = {"editor": 60, "reviewer": 31, "owner": 31}


class Talk:
    """A submission under its second look: two reviews are sent, and everybody has said something."""

    def __init__(self) -> None:
        self.people = {
            "owner": make_person("Ada Author", "expert"),
            "reviewer": make_person("Rita Reviewer", "reviewer"),
            "colleague": make_person("Rolf Reviewer", "reviewer"),
            "editor": make_person("Ed Editor", "editor"),
        }
        self.submission: Submission = make_submission(self.people["owner"], State.IN_REVIEW)
        for who in ("reviewer", "colleague"):
            make_review(make_assignment(self.submission.rounds.get(), self.people[who]))
        make_decision(self.submission, self.people["editor"], "request_changes")
        self.everybody_says_something()

    def everybody_says_something(self) -> None:
        said: dict[str, list[dict[str, Any]]] = {
            "owner": [{"audience": "editors"}, {"audience": "everyone"}],
            "reviewer": [{"audience": "editors"}, {"audience": "reviewers"}, {"audience": "everyone"}],
            "colleague": [{"audience": "reviewers"}],
            "editor": [{"audience": "editors", "addressee": self.people["reviewer"]}, {"audience": "everyone"}],
        }
        for who, comments in said.items():
            for comment in comments:
                Comment.objects.create(submission=self.submission, writer=self.people[who], text="Words.", **comment)

    def address(self, who: str) -> str:
        return f"/{'submissions' if who == 'owner' else 'review'}/{self.submission.public_id}/"


def _n_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


@pytest.mark.parametrize("who", MOST)
def test_page_of_a_submission_asks_as_often_whatever_was_said(who: str) -> None:
    talk = Talk()
    client, address = client_of(talk.people[who]), talk.address(who)
    client.get(address)
    few = _n_queries(client, address)

    for _ in range(5):
        talk.everybody_says_something()
    many = _n_queries(client, address)

    assert many == few
    assert few <= MOST[who]
