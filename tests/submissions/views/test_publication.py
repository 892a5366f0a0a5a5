"""Pages on publishing, retiring, new versions and copies: who gets them, and what they never tell."""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.models import Comment, Submission
from submissions.pdf import pdf_of, shown
from submissions.services.publishing import publish, versions_of
from submissions.states import State
from tests.submissions.services.test_publishing import approved
from tests.support.portal import CONTENT, PASSWORD, make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> https://evil.example/ {{ 7|add:1 }} %(x)s {0} \u202e"


def address(submission: Submission, name: str = "publish") -> str:
    return reverse(f"submissions:{name}", args=[submission.public_id])


def as_(client: Client, person, *, is_fresh: bool = True) -> Client:
    client.force_login(person)
    if is_fresh:
        assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def first():
    return make_person("Ed One", "editor")


@pytest.fixture
def second():
    return make_person("Ed Two", "editor")


def test_approve_by_one_and_publish_by_another(client: Client, first, second) -> None:
    submission = approved(first)

    page = as_(client, first).get(address(submission)).content.decode()
    assert "You cannot publish it, because you approved it." in page
    assert "Publish it</button>" not in page
    refused = client.post(address(submission))
    assert refused.status_code == 409
    assert [one.is_published for one in versions_of(submission)] == [False]

    page = as_(client, second).get(address(submission)).content.decode()
    assert "Ed One approved it." in page
    assert CONTENT.definition in page
    answer = client.post(address(submission))
    assert (answer.status_code, answer["Location"]) == (302, address(submission))
    assert [one.is_published for one in versions_of(submission)] == [True]
    assert client.post(address(submission)).status_code == 409
    assert Client().get("/metrics/own-choices/avoid-deciding/").status_code == 200


def test_publishing_asks_for_the_password_again_and_goes_on(client: Client, first, second) -> None:
    submission = approved(first)
    as_(client, second, is_fresh=False)

    assert client.get(address(submission)).status_code == 200
    answer = client.post(address(submission))

    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert Submission.objects.get(pk=submission.pk).state == State.APPROVED
    client.post(answer["Location"], {"password": PASSWORD, "next": address(submission)})
    assert Submission.objects.get(pk=submission.pk).state == State.PUBLISHED


@pytest.mark.parametrize("name", ["publish", "retire", "review-copy"])
def test_pages_of_editors_are_404_for_everybody_else(client: Client, first, second, name) -> None:
    submission = approved(first)
    publish(submission, actor=second)

    for person in (submission.owner, make_person("Re View", "reviewer"), make_person("Op", "operator")):
        assert as_(client, person).get(address(submission, name)).status_code == 404, person.name
        assert client.post(address(submission, name)).status_code in (404, 405), person.name
    assert as_(client, second).get(address(submission, name)).status_code == 200


@pytest.mark.parametrize("name", ["copy-json", "copy-pdf", "own-voices"])
def test_pages_of_authors_are_404_for_everybody_else(client: Client, first, name) -> None:
    submission = approved(first)

    assert as_(client, submission.owner).get(address(submission, name)).status_code == 200
    for person in (first, make_person("Re View", "reviewer"), make_person("Other", "expert")):
        assert as_(client, person).get(address(submission, name)).status_code == 404, person.name


def test_an_editor_who_wrote_it_does_not_publish_it(client: Client, first) -> None:
    author = make_person("Ada Editor", "editor", "expert")
    submission = approved(first, author=author)

    assert as_(client, author).get(address(submission)).status_code == 404


def test_retiring_needs_a_reason_and_shows_it(client: Client, first, second) -> None:
    submission = approved(first)
    publish(submission, actor=second)
    as_(client, first)

    assert client.post(address(submission, "retire"), {"a": "retire", "reason": " "}).status_code == 422
    assert client.post(address(submission, "retire"), {"a": "retire", "reason": HOSTILE}).status_code == 302
    page = Client().get("/metrics/own-choices/avoid-deciding/").content.decode()
    assert "Retired on" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert 'href="https://evil' not in page
    assert client.post(address(submission, "retire"), {"a": "reinstate"}).status_code == 302
    assert "Retired on" not in Client().get("/metrics/own-choices/avoid-deciding/").content.decode()


def test_copies_and_new_versions_begin_by_post(client: Client, first, second) -> None:
    submission = approved(first)
    publish(submission, actor=second)
    as_(client, submission.owner)

    assert client.get(address(submission, "clone")).status_code == 405
    client.post(address(submission, "clone"))
    client.post(address(submission, "new-version"))

    drafts = Submission.objects.filter(state=State.DRAFT).order_by("pk")
    assert [(one.clone_of, one.improves is not None) for one in drafts] == [(submission, False), (submission, True)]
    assert as_(client, second).post(address(submission, "clone")).status_code == 404


def test_credit_is_given_as_text_wherever_the_public_reads_it(client: Client, first, second) -> None:
    author = make_person(f"Ada {HOSTILE}", affiliation=HOSTILE, email="ada@ada.example")
    content = replace(CONTENT, title=HOSTILE[:150], relevance=HOSTILE, definition=HOSTILE, hard_cases=HOSTILE)
    submission = approved(first, content, author=author, is_status_public=True)
    publish(submission, actor=second)

    for path in (
        "/metrics/own-choices/avoid-deciding/", "/metrics/", "/benchmarks/own-choices/", "/benchmarks/",
        "/search/?q=alert", "/metrics/own-choices/avoid-deciding/suggest/", address(submission, "status"),
        "/metrics/own-choices/avoid-deciding/scenarios/1/",
    ):  # fmt: skip
        page = Client().get(path)
        text = page.content.decode()
        assert page.status_code == 200, path
        assert "<script>alert" not in text, path
        assert 'href="https://evil' not in text, path
        assert "{{ 7" not in re.sub(r"\{\{ 7\|add:1 \}\}", "", text), path
        assert "ada@ada.example" not in text, path


def test_a_copy_for_the_author_has_everything_of_theirs_and_no_reviewer(client: Client, first) -> None:
    submission = make_submission(make_person("Ada Expert"), State.IN_REVIEW)
    reviewer = make_person("Rita Reviewer", "reviewer")
    make_review(make_assignment(submission.rounds.get(), reviewer), private_remark="SECRET REMARK")
    Comment.objects.create(submission=submission, writer=reviewer, audience="reviewers", text="AMONG US")

    before = as_(client, submission.owner).get(address(submission, "copy-json")).content.decode()
    assert "Clear and useful." not in before
    submission.decisions.create(
        round=submission.rounds.get(), kind="approve", state="sent", decided_by=first, sent_at=timezone.now(),
        subject="Approved", letter="Dear author",
    )  # fmt: skip
    after = client.get(address(submission, "copy-json")).content.decode()

    copy = json.loads(after)
    assert [one["name"] for one in copy["reviews"]] == ["Reviewer 1"]
    assert copy["reviews"][0]["for_author"] == "Clear and useful."
    assert copy["letters"][0]["text"] == "Dear author"
    assert copy["draft"] == json.loads(json.dumps(CONTENT.to_json()))
    for secret in ("Rita", "SECRET REMARK", "AMONG US", "Ed One"):
        assert secret not in after


def test_a_copy_for_a_reviewer_does_not_tell_who_wrote_it(client: Client) -> None:
    content = replace(CONTENT, not_reviewers="My rival")
    submission = make_submission(make_person("Ada Expert"), State.IN_REVIEW, content)
    reviewer = make_person("Rita Reviewer", "reviewer")
    make_assignment(submission.rounds.get(), reviewer)

    text = as_(client, reviewer).get(address(submission, "review-copy")).content.decode()

    copy = json.loads(text)
    assert sorted(copy) == ["comments", "copied_at", "history", "reviews", "state", "submission", "versions"]
    assert copy["versions"][0]["content"]["definition"] == CONTENT.definition
    for secret in ("Ada", "My rival", "credit"):
        assert secret not in text


def test_a_pdf_holds_hostile_text_as_text() -> None:
    content = pdf_of(HOSTILE, [(HOSTILE, [(HOSTILE, f"{HOSTILE}\n日本 ✓")])])

    assert content.startswith(b"%PDF-")
    for active in (b"/URI", b"/JavaScript", b"/Launch", b"/AA"):
        assert active not in content
    assert shown("a\u202eb\u0000 日") == "a<U+202E>b<U+0000> <U+65E5>"


def test_the_pdf_of_a_submission_is_a_download(client: Client, first) -> None:
    submission = approved(first)

    answer = as_(client, submission.owner).get(address(submission, "copy-pdf"))

    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == f'attachment; filename="{submission.public_id}.pdf"'
    assert answer.content.startswith(b"%PDF-")


def test_the_status_is_public_only_when_its_author_wishes(client: Client, first) -> None:
    submission = approved(first)

    assert client.get(address(submission, "status")).status_code == 404
    submission.is_status_public = True
    submission.save()
    page = client.get(address(submission, "status")).content.decode()
    assert "It is approved. A second editor looks at it before it is shown." in page
    for secret in ("Ada", "Ed One", "own-choices"):
        assert secret not in page
    for state in (State.DRAFT, State.DISCARDED):
        submission.state = state
        submission.save()
        assert client.get(address(submission, "status")).status_code == 404
