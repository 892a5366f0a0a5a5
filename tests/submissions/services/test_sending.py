"""Sending, sending again, taking back."""

from dataclasses import replace
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from impactbench.common.models import AuditEvent, OutgoingMail
from submissions.content import Content, Source
from submissions.models import Assignment, Call, CoAuthor, Decision, Extension, RequestedChange, Submission
from submissions.services.calls import CallClosed, window_of
from submissions.services.drafts import StaleDraft, save_draft
from submissions.services.sending import Incomplete, resend, send, withdraw
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import State
from tests.support.portal import (
    CONTENT,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_submission,
)

pytestmark = pytest.mark.django_db


def _closed_call(hours_ago: float, grace: timedelta = timedelta(hours=12)) -> Call:
    now = timezone.now()
    return Call.objects.create(
        slug="winter", title="The winter call", opens_at=now - timedelta(days=30),
        closes_at=now - timedelta(hours=hours_ago), grace=grace,
    )  # fmt: skip


def _changes_requested(owner: Any, editor: Any) -> Submission:
    submission = make_submission(owner, State.CHANGES_REQUESTED)
    decision = make_decision(submission, editor, Decision.Kind.REQUEST_CHANGES)
    for number, field in enumerate(("definition", "sources"), start=1):
        RequestedChange.objects.create(decision=decision, number=number, field=field, text="Please.")
    return submission


def _answer_all(submission: Submission) -> None:
    RequestedChange.objects.filter(decision__submission=submission).update(answer="Done.", done="changed")


def test_what_is_sent_is_kept_without_empty_lines() -> None:
    owner = make_person("Ada", "expert")
    content = replace(CONTENT, sources=(Source(), *CONTENT.sources, Source()), known="  padded ")
    submission = make_submission(owner, content=content)

    revision = send(submission, version=1, actor=owner)

    assert revision.text == replace(CONTENT, known="padded")
    submission.refresh_from_db()
    assert (submission.state, revision.number) == (State.SUBMITTED, 1)


def test_each_author_gets_one_receipt_with_a_copy() -> None:
    owner, other = make_person("Ada", "expert"), make_person("Ben", "expert")
    submission = make_submission(owner)
    CoAuthor.objects.create(submission=submission, email=other.email, person=other, state=CoAuthor.State.CONFIRMED)

    revision = send(submission, version=1, actor=owner)
    send(submission, version=1, actor=owner)

    mails = OutgoingMail.objects.filter(event="submission-sent")
    assert list(mails.order_by("recipient_id").values_list("recipient_id", flat=True)) == sorted([owner.pk, other.pk])
    assert all(revision.receipt in mail.subject for mail in mails)
    assert all(CONTENT.unknown in mail.text for mail in mails)


def test_a_receipt_gives_choices_in_the_words_of_the_form() -> None:
    owner = make_person("Ada", "expert")

    send(make_submission(owner), version=1, actor=owner)

    text = OutgoingMail.objects.get(event="submission-sent").text
    assert "Good or bad\n-----------\nbad" in text
    assert "Areas\n-----\nYour choices" in text
    assert "Show my name and affiliation on the metric’s page" in text


def test_a_receipt_makes_nothing_clickable() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, content=replace(CONTENT, title="Win at https://evil.example/now"))

    send(submission, version=1, actor=owner)

    mail = OutgoingMail.objects.get(event="submission-sent")
    assert "https://evil.example" not in mail.subject + mail.text


def test_complaint_07_a_second_call_gives_the_first_version() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner)

    first = send(submission, version=1, actor=owner)

    assert send(submission, version=1, actor=owner) == first
    assert submission.revisions.count() == 1
    assert AuditEvent.objects.filter(action="submission-submit").count() == 1


@pytest.mark.django_db(transaction=True)
def test_complaint_07_two_calls_at_once_send_once() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner)
    found: list[int] = []

    def go() -> None:
        try:
            found.append(send(Submission.objects.get(pk=submission.pk), version=1, actor=owner).pk)
        finally:
            connection.close()

    threads = [Thread(target=go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 4
    assert len(set(found)) == 1
    assert OutgoingMail.objects.filter(event="submission-sent").count() == 1


def test_complaint_06_a_draft_is_checked_like_anything_that_is_sent() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, content=Content())

    with pytest.raises(Incomplete) as refused:
        send(submission, version=1, actor=owner)

    named = {problem.field for problem in refused.value.problems}
    assert {"title", "sources", "subareas", "messages", "definition", "licence"} <= named
    submission.refresh_from_db()
    assert (submission.state, submission.revisions.count()) == (State.DRAFT, 0)


def test_a_doi_that_breaks_off_is_a_problem() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, content=replace(CONTENT, sources=(Source("A study", "10.5555/"),)))

    with pytest.raises(Incomplete) as refused:
        send(submission, version=1, actor=owner)

    assert [(problem.field, problem.number) for problem in refused.value.problems] == [("sources", 1)]


def test_an_older_version_is_not_sent() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner)
    save_draft(submission, replace(CONTENT, known="newer"), version=1, actor=owner)

    with pytest.raises(StaleDraft):
        send(submission, version=1, actor=owner)


def test_a_co_author_does_not_send() -> None:
    owner, other = make_person("Ada", "expert"), make_person("Ben", "expert")
    submission = make_submission(owner)
    CoAuthor.objects.create(submission=submission, email=other.email, person=other, state=CoAuthor.State.CONFIRMED)

    with pytest.raises(NotAllowed):
        send(submission, version=1, actor=other)


def test_complaint_15_a_draft_opened_before_the_end_is_sent_within_the_grace() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, call=_closed_call(1), created_at=timezone.now() - timedelta(days=2))

    assert send(submission, version=1, actor=owner).number == 1


def test_complaint_15_after_the_grace_the_draft_stays() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, call=_closed_call(13), created_at=timezone.now() - timedelta(days=2))

    with pytest.raises(CallClosed):
        send(submission, version=1, actor=owner)

    submission.refresh_from_db()
    assert (submission.state, submission.draft) == (State.DRAFT, CONTENT)


def test_complaint_15_a_draft_opened_after_the_end_has_no_grace() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, call=_closed_call(1))

    with pytest.raises(CallClosed):
        send(submission, version=1, actor=owner)


def test_complaint_15_more_time_that_was_granted_opens_the_door() -> None:
    owner, editor = make_person("Ada", "expert"), make_person("Ed", "editor")
    submission = make_submission(owner, call=_closed_call(48), created_at=timezone.now() - timedelta(days=5))
    Extension.objects.create(submission=submission, until=timezone.now() + timedelta(days=1), granted_by=editor)

    assert window_of(submission).is_open
    assert send(submission, version=1, actor=owner).number == 1


def test_without_any_call_one_may_always_send() -> None:
    owner = make_person("Ada", "expert")

    assert send(make_submission(owner), version=1, actor=owner).number == 1


def test_a_draft_without_a_call_does_not_slip_past_closed_ones() -> None:
    owner = make_person("Ada", "expert")
    _closed_call(48)

    with pytest.raises(CallClosed):
        send(make_submission(owner), version=1, actor=owner)


def test_every_request_needs_an_answer() -> None:
    owner, editor = make_person("Ada", "expert"), make_person("Ed", "editor")
    submission = _changes_requested(owner, editor)

    with pytest.raises(Incomplete) as refused:
        resend(submission, actor=owner)

    assert [problem.message for problem in refused.value.problems] == [
        "Request 1 has no answer yet.",
        "Request 2 has no answer yet.",
    ]


def test_the_next_version_opens_a_round_for_the_same_reviewers() -> None:
    owner, editor, reviewer = make_person("Ada", "expert"), make_person("Ed", "editor"), make_person("Rob", "reviewer")
    submission = _changes_requested(owner, editor)
    make_review(make_assignment(submission.rounds.get(), reviewer))
    _answer_all(submission)

    revision = resend(submission, actor=owner)

    submission.refresh_from_db()
    assert (submission.state, revision.number) == (State.IN_REVIEW, 2)
    again = Assignment.objects.get(round=revision.round)
    assert (again.person, again.state) == (reviewer, Assignment.State.ACCEPTED)
    assert resend(submission, actor=owner) == revision


def test_withdrawing_ends_the_review_and_its_letters() -> None:
    owner, editor, reviewer = make_person("Ada", "expert"), make_person("Ed", "editor"), make_person("Rob", "reviewer")
    submission = make_submission(owner, State.IN_REVIEW)
    make_assignment(submission.rounds.get(), reviewer)
    decision = make_decision(submission, editor, Decision.Kind.APPROVE, Decision.State.WAITING)

    withdraw(submission, actor=owner, reason="I found a mistake.")

    submission.refresh_from_db()
    decision.refresh_from_db()
    assert submission.state == State.WITHDRAWN
    assert submission.rounds.get().closed_at is not None
    assert decision.state == Decision.State.UNDONE
    told = OutgoingMail.objects.get(event="submission-withdrawn")
    assert told.recipient == reviewer
    assert "mistake" not in told.text
    assert owner.name not in told.text


def test_nothing_is_withdrawn_after_the_decision() -> None:
    owner = make_person("Ada", "expert")
    submission = make_submission(owner, State.APPROVED)

    with pytest.raises(WrongState):
        withdraw(submission, actor=owner, reason="Too late.")
