"""What no page of a reviewer may tell: who wrote it, who else reviews it, and what others say in private."""

from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from impactbench.common.models import OutgoingMail
from submissions.models import Assignment, Attachment, Call, RequestedChange
from submissions.services.attachments import attach
from submissions.states import State
from tests.support.portal import (
    CONTENT,
    make_assignment,
    make_decision,
    make_person,
    make_review,
    make_revision,
    make_round,
    make_submission,
)
from tests.support.reviewing import OWNER_NAME, WHOLE, body, in_review, page_of, reviewer_of, signed_in

pytestmark = pytest.mark.django_db


def test_other_reviews_open_after_the_own_one_without_private_remarks(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    _, assignment = reviewer_of(submission, "Rolf Reviewer")
    make_review(assignment, for_author="OTHER WORDS", private_remark="PRIVATE WORDS")
    signed_in(client, person)

    before = body(client.get(page_of(submission)))
    client.post(page_of(submission), {**WHOLE, "version": "0", "a": "send"})
    after = body(client.get(page_of(submission)))

    assert ("OTHER WORDS" in before, "OTHER WORDS" in after) == (False, True)
    assert ("PRIVATE WORDS" in after, "Rolf" in after, "Reviewer 2" in after) == (False, False, True)


def second_round():
    """A submission whose second version answers two requests, with a reviewer of both rounds and one of the first."""
    submission = in_review()
    person, assignment = reviewer_of(submission)
    first_only, early = reviewer_of(submission, "Rolf Reviewer")
    make_review(assignment)
    make_review(early)
    decision = make_decision(submission, make_person("Ed Editor", "editor"), "request_changes")
    RequestedChange.objects.create(
        decision=decision, number=1, field="definition", text="ASKED WORDS", answer="ANSWERED WORDS", done="changed"
    )
    submission.rounds.update(closed_at=timezone.now())
    submission.content = {**submission.content, "definition": "NEW WORDS"}
    submission.save()
    make_revision(submission)
    make_assignment(make_round(submission), person)
    return submission, person, first_only


def test_second_round_shows_what_was_asked_answered_and_changed(client):
    submission, person, _ = second_round()

    text = body(signed_in(client, person).get(page_of(submission)))

    assert [words in text for words in ("ASKED WORDS", "ANSWERED WORDS", "<ins>NEW WORDS</ins>")] == [True] * 3


def test_complaint_11_reviewer_of_the_first_round_alone_learns_nothing_of_the_second(client):
    """Blindness follows the person: the first round's reviewer stays a reviewer of the first version."""
    submission, _, first_only = second_round()

    text = body(signed_in(client, first_only).get(page_of(submission)))

    assert [words in text for words in ("NEW WORDS", "ANSWERED WORDS", OWNER_NAME)] == [False] * 3
    assert "This round of review is over" in text


def test_complaint_12_editor_who_is_the_author_or_reviews_it_never_gets_the_editors_page(client):
    owner = make_person("Ada Author", "expert", "reviewer", "editor")
    submission = make_submission(owner, State.IN_REVIEW)
    person, assignment = reviewer_of(submission, roles=("reviewer", "editor"))
    _, other = reviewer_of(submission, "Rolf Reviewer")
    make_review(other, private_remark="PRIVATE WORDS", for_author="OTHER WORDS")

    as_author = signed_in(client, owner).get(page_of(submission)).status_code
    signed_in(client, person)
    as_reviewer = body(client.get(page_of(submission)))
    Assignment.objects.filter(pk=assignment.pk).update(state="cancelled", answered_at=timezone.now())
    relieved = body(client.get(page_of(submission)))

    assert as_author == 404
    assert [word in as_reviewer + relieved for word in ("PRIVATE WORDS", "OTHER WORDS", "Ada Author")] == [False] * 3


def every_page_of(client, submission):
    """Everything a reviewer can open about a submission, headers of downloads too."""
    pages = [
        client.get("/review/"),
        client.get(page_of(submission)),
        client.get(page_of(submission, "review-hand-back")),
    ]
    pages += [client.post(page_of(submission), {"version": "7", "for_author": "x", "a": "send"})]
    pages += [client.post(page_of(submission, "review-comments"), {"text": "", "audience": "editors"})]
    return "".join(body(page) + str(page.headers) for page in pages)


@pytest.mark.parametrize(("blinding", "is_named"), [(Call.Blinding.DOUBLE, False), (Call.Blinding.SINGLE, True)])
def test_complaint_09_author_is_named_only_where_the_call_says_so(client, blinding, is_named):
    call = Call.objects.create(slug="winter", title="Winter", blinding=blinding)
    content = replace(CONTENT, not_reviewers="Professor Nemesis")
    submission = in_review(call=call, content=content)
    owner = submission.owner
    owner.affiliation = "Institute of Ownership"
    owner.save()
    Attachment.objects.create(
        submission=submission,
        stored="stored",
        name=f"{OWNER_NAME} appendix.pdf",
        content_type="application/pdf",
        size=10,
        sha256="",
        warning="This file names its author.",
        added_by=owner,
        added_at=submission.revisions.get().sent_at,
    )
    person, assignment = reviewer_of(submission)
    make_review(assignment)

    text = every_page_of(signed_in(client, person), submission)
    mails = "".join(mail.subject + mail.text for mail in OutgoingMail.objects.filter(recipient=person))

    assert (OWNER_NAME in text) is is_named
    marks = [owner.email, "Institute of Ownership", "Professor Nemesis", f"{OWNER_NAME} appendix", "names its author"]
    assert [mark for mark in marks if mark in text] == []
    assert OWNER_NAME not in mails
    assert "Attachment 1.pdf" in text


def test_complaint_19_file_is_handed_out_under_a_neutral_name_and_to_its_readers_only(client, settings, tmp_path):
    settings.PRIVATE_FILES = tmp_path
    owner = make_person(OWNER_NAME, "expert")
    submission = make_submission(owner)
    upload = SimpleUploadedFile(f"{OWNER_NAME} notes.txt", b"Some notes.", "text/plain")
    attachment = attach(submission, upload, actor=owner)
    submission.state = State.IN_REVIEW
    submission.save()
    make_revision(submission)
    make_round(submission)
    reviewer, _ = reviewer_of(submission)
    elsewhere = make_submission(make_person("Otto Other"), State.IN_REVIEW)
    stranger, _ = reviewer_of(elsewhere, "Rolf Reviewer")

    def fetch(person, parent=submission):
        return signed_in(client, person).get(reverse("submissions:review-file", args=[parent.public_id, attachment.pk]))

    got = fetch(reviewer)
    assert (got.status_code, b"".join(got.streaming_content)) == (200, b"Some notes.")
    assert got.headers["Content-Disposition"] == 'attachment; filename="Attachment-1.txt"'
    refused = [fetch(stranger).status_code, fetch(stranger, elsewhere).status_code, fetch(owner).status_code]
    assert refused == [404, 404, 404]


def test_complaint_10_discussion_on_the_page_names_nobody(client):
    submission = in_review()
    person, _ = reviewer_of(submission)
    other, _ = reviewer_of(submission, "Rolf Reviewer")
    editor = make_person("Ed Editor", "editor")
    for writer in (submission.owner, other, editor):
        name = "own-comments" if writer == submission.owner else "review-comments"
        signed_in(client, writer).post(page_of(submission, name), {"text": "Words.", "audience": "everyone"})

    text = body(signed_in(client, person).get(page_of(submission)))

    assert [name for name in (OWNER_NAME, "Rolf", "Ed Editor") if name in text] == []
    headings = [line for line in ("The author to", "Reviewer 2 to", "An editor to") if line in text]
    assert headings == ["The author to", "Reviewer 2 to", "An editor to"]


def test_hostile_words_are_shown_as_words(client):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7|add:7 }} javascript:alert(3) https://evil.example"
    content = replace(
        CONTENT, title=evil, construct=evil, definition=evil, hard_cases=evil, examples_present=(evil, evil)
    )
    submission = in_review(content=content)
    person, _ = reviewer_of(submission)
    signed_in(client, person)
    client.post(page_of(submission), {"for_author": evil, "m-clarity": evil, "version": "0"})
    client.post(page_of(submission, "review-comments"), {"text": evil, "audience": "everyone"})

    text = body(client.get(page_of(submission))) + body(client.get("/review/"))

    assert [
        mark for mark in ("<script>alert", "<img src=x", 'href="https://evil', 'href="javascript') if mark in text
    ] == []
    assert "{{ 7|add:7 }}" in text
