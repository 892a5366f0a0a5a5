"""The list, the page after sending, answers, letters, and what an author must not see."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.models import OutgoingMail
from submissions.models import Decision, RequestedChange, Submission
from submissions.naming import Viewing
from submissions.selectors.timeline import timeline
from submissions.services.drafts import save_draft
from submissions.services.sending import send
from submissions.services.transitions import take
from submissions.states import Action, State
from tests.support.portal import (
    CONTENT,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_round,
    make_submission,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Any:
    return make_person("Ada", "expert")


@pytest.fixture
def ada(owner: Any) -> Client:
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def asked(owner: Any) -> Submission:
    """A reviewed submission with a letter that asks for two changes."""
    submission = make_submission(owner, State.IN_REVIEW)
    reviewer = make_person("Rita Reviewer", "reviewer")
    make_review(
        make_assignment(submission.rounds.get(), reviewer), for_author="Say it plainly.", private_remark="Weak author."
    )
    editor = make_person("Ed Editor", "editor")
    take(Action.REQUEST_CHANGES, submission, actor=editor)
    submission.rounds.update(closed_at=timezone.now())
    decision = make_decision(submission, editor, Decision.Kind.REQUEST_CHANGES)
    decision.answer_due = timezone.now() + timedelta(days=10, hours=1)
    decision.letter = "Dear author, please change two points."
    decision.save()
    for number, field in enumerate(("definition", "hard_cases"), start=1):
        RequestedChange.objects.create(decision=decision, number=number, field=field, text=f"Change {field}.")
    return submission


def _text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def _page(client: Client, submission: Submission, tail: str = "") -> str:
    response: Any = client.get(f"/submissions/{submission.public_id}/{tail}")
    assert response.status_code == 200
    return _text(response)


def test_nothing_yet_says_what_it_takes(ada: Client) -> None:
    assert "Nothing here yet. A metric needs an idea, two sources and four examples." in _text(ada.get("/submissions/"))


def test_three_groups_with_the_next_step(ada: Client, owner: Any, asked: Submission) -> None:
    make_submission(owner, State.SUBMITTED)
    make_submission(owner, State.PUBLISHED)

    text = _text(ada.get("/submissions/"))

    assert "One needs you. One is with others. One is finished." in text
    assert "<b>Answer 2 requests,</b> then send it again." in text


def test_what_others_wrote_is_on_no_list(ada: Client) -> None:
    other = make_submission(make_person("Ben", "expert"), State.IN_REVIEW)

    assert other.public_id not in _text(ada.get("/submissions/"))


def test_many_are_narrowed_by_the_address(ada: Client, owner: Any) -> None:
    """A digit that stands in an identifier by chance finds nothing; the identifier itself finds its submission."""
    for number in range(9):
        submission = make_submission(owner, content=replace(CONTENT, title=f"Metric number {number}"))
        Submission.objects.filter(pk=submission.pk).update(public_id=f"S-7777{number}7")

    by_number = _text(ada.get("/submissions/?q=number+7&show=you"))
    by_identifier = _text(ada.get("/submissions/?q=s-777787&show=you"))

    assert [number for number in range(9) if f"Metric number {number}" in by_number] == [7]
    assert [number for number in range(9) if f"Metric number {number}" in by_identifier] == [8]


def test_a_draft_is_discarded_and_restored(ada: Client, owner: Any) -> None:
    submission = make_submission(owner)

    ada.post(f"/submissions/{submission.public_id}/discard/")
    discarded = Submission.objects.get(pk=submission.pk)
    ada.post(f"/submissions/{submission.public_id}/restore/")

    assert discarded.state == State.DISCARDED
    assert Submission.objects.get(pk=submission.pk).state == State.DRAFT


def test_the_page_says_whose_turn_it_is(ada: Client, asked: Submission) -> None:
    text = _page(ada, asked)

    assert "It is your turn. Answer 2 requests, then send it again. Due in 10 days." in text
    assert "Requests 1, 2 have no answer yet." in text


def test_answers_are_saved_one_by_one(ada: Client, asked: Submission) -> None:
    address = f"/submissions/{asked.public_id}/answers/"

    script: Any = ada.post(address, {"request-1-answer": "I say which sign."}, headers={"HX-Request": "true"})
    ada.post(address, {"request-2-answer": "It is fine.", "request-2-done": "left", "action": "save"})

    rows = RequestedChange.objects.order_by("number").values_list("answer", "done")
    assert list(rows) == [("I say which sign.", ""), ("It is fine.", "left")]
    assert "Saved at" in _text(script)


def test_a_missing_answer_keeps_it_from_being_sent_and_all_else_is_saved(ada: Client, asked: Submission) -> None:
    address = f"/submissions/{asked.public_id}/answers/"

    response: Any = ada.post(
        address, {"request-1-answer": "Done.", "request-1-done": "changed", "request-2-answer": "", "action": "resend"}
    )

    assert response.status_code == 422
    assert "Problem: 1 to put right" in _text(response)
    assert 'href="#request-2-answer"' in _text(response)
    assert RequestedChange.objects.get(number=1).answer == "Done."


def test_with_all_answers_the_next_version_is_sent(ada: Client, owner: Any, asked: Submission) -> None:
    save_draft(asked, replace(CONTENT, hard_cases="A new rule."), version=1, actor=owner)
    posted = {f"request-{n}-{part}": value for n in (1, 2) for part, value in (("answer", "x"), ("done", "changed"))}

    response: Any = ada.post(f"/submissions/{asked.public_id}/answers/", {**posted, "action": "resend"})

    assert response["Location"] == f"/submissions/{asked.public_id}/sent/2/"
    assert 'id="diff-hard_cases"' in _page(ada, asked, "changes/")
    assert ada.get(f"/submissions/{asked.public_id}/changes/?from=1&to=9").status_code == 404


def test_what_changed_stands_beside_the_request_it_answers(ada: Client, owner: Any, asked: Submission) -> None:
    save_draft(asked, replace(CONTENT, hard_cases="A new rule."), version=1, actor=owner)

    text = _page(ada, asked)

    assert '<a href="#diff-hard_cases">See the change' in text
    assert '<a href="#diff-definition">' not in text
    assert '<tr id="diff-hard_cases"><th scope="row">Hard cases<span class="p-cap2">answers request 2</span>' in text


def test_reviews_are_read_after_the_letter_under_pseudonyms(ada: Client, asked: Submission) -> None:
    text = _page(ada, asked)

    assert "Say it plainly." in text
    assert "Reviewer 1" in text
    for secret in ("Weak author.", "Rita", "Ed Editor", "rita-reviewer.example"):
        assert secret not in text


def test_reviews_stay_closed_until_the_letter_goes_out(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.IN_REVIEW)
    make_review(make_assignment(submission.rounds.get(), make_person("Rita", "reviewer")), for_author="A secret yet.")
    make_decision(submission, make_person("Ed", "editor"), "approve", Decision.State.WAITING)

    text = _page(ada, submission)

    assert "A secret yet." not in text
    assert "pprove" not in text


def test_the_timeline_names_nobody_and_keeps_others_business_out(owner: Any, asked: Submission) -> None:
    record(actor=make_person("Eve Editor", "editor"), action="reviewers-asked", target=asked, details={"n": 2})

    texts = [event.text for event in timeline(Viewing(owner, asked))]

    assert texts == ["The draft was begun.", "The reviews of round 1 came in.", "The editors asked for 2 changes."]


def test_the_timeline_of_a_reviewer_knows_no_draft(owner: Any) -> None:
    submission = make_submission(owner)
    send(submission, version=1, actor=owner)
    take(Action.OPEN_ROUND, submission, actor=make_person("Ed", "editor"))
    reviewer = make_person("Rita", "reviewer")
    make_assignment(make_round(Submission.objects.get(pk=submission.pk)), reviewer)

    assert [event.text for event in timeline(Viewing(reviewer, submission))] == [
        "Version 1 arrived.",
        "An editor opened the review.",
    ]
    assert timeline(Viewing(make_person("Nobody", "expert"), submission)) == []


def test_the_timeline_of_an_editor_says_who(owner: Any) -> None:
    submission, editor = make_submission(owner), make_person("Ed Editor", "editor")
    send(submission, version=1, actor=owner)
    take(Action.OPEN_ROUND, submission, actor=make_person("Eve Editor", "editor"))

    assert [event.text for event in timeline(Viewing(editor, submission))][
        -1
    ] == "An editor opened the review. (Eve Editor)"


def test_only_my_own_letters_are_shown_and_sent_again(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.IN_REVIEW)
    other = make_person("Rita", "reviewer")
    mine = mail.post(event="a", kind="receipt", to=owner, about=submission, subject="For Ada", text="Text for Ada")
    theirs = mail.post(event="b", kind="assignment", to=other, about=submission, subject="For Rita", text="Rita's")
    OutgoingMail.objects.update(state="sent", sent_at=timezone.now())

    text = _page(ada, submission, "mails/")
    foreign = ada.post(f"/submissions/{submission.public_id}/mails/", {"mail": theirs.pk})
    ada.post(f"/submissions/{submission.public_id}/mails/", {"mail": mine.pk})

    assert "Text for Ada" in text
    assert "For Rita" not in text
    assert foreign.status_code == 404
    assert list(mine.sent_again_as.values_list("recipient", flat=True)) == [owner.pk]


def test_withdrawing_asks_once_and_wants_a_reason(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.IN_REVIEW)
    address = f"/submissions/{submission.public_id}/withdraw/"

    assert "Withdraw it" in _text(ada.get(address))
    assert ada.post(address, {"reason": ""}).status_code == 422
    ada.post(address, {"reason": "A mistake."})

    assert Submission.objects.get(pk=submission.pk).state == State.WITHDRAWN


def test_anyone_may_see_where_it_is_only_if_its_owner_wishes(ada: Client, owner: Any) -> None:
    submission = make_submission(owner, State.IN_REVIEW)
    address = f"/submissions/{submission.public_id}/public-status/"

    ada.post(address, {"public": "yes"})
    shown = Submission.objects.get(pk=submission.pk).is_status_public
    ada.post(address, {"public": "no"})

    assert (shown, Submission.objects.get(pk=submission.pk).is_status_public) == (True, False)
