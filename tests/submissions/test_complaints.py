"""Complaints about other portals that no single page answers: links in letters, the API, the language of letters."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from evaluation.services import paper_taxonomy
from impactbench.common.models import OutgoingMail
from submissions.services import coauthors, rounds
from submissions.services.approving import ApprovalPlan, make_metrics
from submissions.services.publishing import publish
from submissions.states import State
from tests.support.portal import make_decision, make_person, make_submission

pytestmark = pytest.mark.django_db


def _signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def _links(text: str) -> list[str]:
    """The addresses on this site that a letter leads to, without the fragment."""
    return [link for link in re.findall(r"https?://[^/\s]+(/[^\s#]*)", text) if link != "/"]


def _asked() -> tuple[Any, Any]:
    """A submission with one reviewer just asked, and the reviewer."""
    submission, reviewer = (
        make_submission(make_person("Ada", "expert"), State.SUBMITTED),
        make_person("Ria", "reviewer"),
    )
    now = timezone.now()
    rounds.open_round(
        submission, actor=make_person("Ed", "editor"), people=[reviewer], answer_by=now + timedelta(days=3),
        due_at=now + timedelta(days=14),
    )  # fmt: skip
    return submission, reviewer


def test_complaint_21_a_link_in_a_letter_signs_nobody_in() -> None:
    """A letter to a reviewer leads to the page of the work and to the door before it, not into the account."""
    _, reviewer = _asked()
    links = _links(OutgoingMail.objects.get(recipient=reviewer).text)
    visitor = Client()

    answers = [visitor.get(link) for link in links]

    assert links
    assert {answer.status_code for answer in answers} == {302}
    assert {answer["Location"] for answer in answers} == {f"/accounts/login/?next={link}" for link in links}
    assert "_auth_user_id" not in visitor.session


def test_complaint_21_an_invitation_to_write_along_opens_nothing_else() -> None:
    """Its token is worth nothing to who is signed out, and opens one question to who is signed in."""
    submission = make_submission(make_person("Ada", "expert"))
    coauthors.invite(submission, email="ben@ben.example", name="Ben", actor=submission.owner)
    [link] = [one for one in _links(OutgoingMail.objects.get(event="co-author-invited").text) if "invitations" in one]
    visitor, somebody = Client(), _signed_in(make_person("Sam", "expert"))

    outside = visitor.get(link)
    somebody.get(link)

    assert outside["Location"] == f"/accounts/login/?next={link}"
    assert somebody.get(f"/submissions/{submission.public_id}/").status_code == 404
    assert somebody.get(f"/submissions/{submission.public_id}/edit/").status_code == 404


PLAN = ApprovalPlan(
    benchmark="own-choices", is_new_benchmark=True, benchmark_name="Own choices", local_ids=("zq-metric",),
    profiles=("adult",),
)  # fmt: skip


def test_complaint_25_the_api_shows_nobody_what_is_not_published() -> None:
    """What the pages hide, the API hides, whoever asks: there is no answer for editors that others do not get."""
    paper_taxonomy.load()
    editor, second = make_person("Ed", "editor"), make_person("Eve", "editor")
    submission = make_submission(make_person("Zqauthor", "expert", affiliation="Zqhouse"), State.IN_REVIEW)
    make_metrics(submission, actor=editor, plan=PLAN)
    submission.rounds.update(closed_at=timezone.now())
    make_decision(submission, editor, "approve")
    submission.state = State.APPROVED
    submission.save()
    clients = [Client(), _signed_in(editor), _signed_in(submission.owner), _signed_in(make_person("Op", "operator"))]
    paths = ["metrics/", "metrics/own-choices/zq-metric/", "benchmarks/", "benchmarks/own-choices/", "scenarios/"]

    def answers(client: Client) -> str:
        return "".join(client.get(f"/api/v1/{path}").content.decode() for path in paths)

    before = [("zq-metric" in answers(client).replace("/zq-metric/", "")) for client in clients]
    publish(submission, actor=second)
    after = [("zq-metric" in answers(client).replace("/zq-metric/", "")) for client in clients]

    assert (before, after) == ([False] * 4, [True] * 4)


def test_complaint_27_a_letter_is_in_the_language_and_time_of_its_reader() -> None:
    """Whoever causes the letter, in whatever language their browser is: it is English, in the reader's own time."""
    submission, reviewer = _asked()
    reviewer.time_zone = "Asia/Tokyo"
    reviewer.save()
    assignment = submission.rounds.get().assignments.get()
    assignment.answer_by = timezone.now().replace(year=2027, month=1, day=8, hour=20, minute=0)
    assignment.save()

    with translation.override("de"), timezone.override("America/New_York"):
        rounds.remind(assignment)
    letter = OutgoingMail.objects.filter(recipient=reviewer).order_by("-pk")[0].text

    assert "January 2027" in letter
    assert "For you that is Saturday, 05:00" in letter
    assert "Januar 2027" not in letter
