"""Drafts that nobody touches go, after a letter and a month; everything else stays."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from impactbench.common.models import AuditEvent, OutgoingMail
from submissions.models import CoAuthor, Submission
from submissions.services import attachments
from submissions.services.drafts import save_draft
from submissions.services.old_drafts import DAYS_TO_ANSWER, forget_old_drafts
from submissions.states import State
from tests.support.portal import CONTENT, make_person, make_revision, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _days(settings: Any) -> None:
    settings.DRAFT_DAYS = 100


def aged(submission: Submission, days: int) -> Submission:
    Submission.objects.filter(pk=submission.pk).update(saved_at=timezone.now() - timedelta(days=days))
    submission.refresh_from_db()
    return submission


def after(days: int) -> datetime:
    return timezone.now() + timedelta(days=days)


def told() -> list[tuple[str, str]]:
    letters = OutgoingMail.objects.filter(event="draft-will-go").order_by("pk")
    return [(letter.recipient.email if letter.recipient else "", letter.subject) for letter in letters]


def deliver() -> None:
    OutgoingMail.objects.filter(state="waiting").update(state="sent", sent_at=timezone.now())


def test_untouched_draft_goes_a_month_after_its_letter(
    settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.PRIVATE_FILES = tmp_path
    ada, bob = make_person("Ada Author", "expert"), make_person("Bob Writer", "expert")
    draft = aged(make_submission(ada), 71)
    CoAuthor.objects.create(submission=draft, person=bob, email=bob.email, state=CoAuthor.State.CONFIRMED)
    attachments.attach(draft, SimpleUploadedFile("notes.txt", b"notes"), actor=ada)
    aged(draft, 71)
    public_id = draft.public_id

    runs = [forget_old_drafts(), forget_old_drafts(), forget_old_drafts(after(DAYS_TO_ANSWER + 1))]
    # It waits for the letter to be on its way.
    deliver()
    runs.append(forget_old_drafts(after(DAYS_TO_ANSWER - 2)))
    with django_capture_on_commit_callbacks(execute=True):
        runs.append(forget_old_drafts(after(DAYS_TO_ANSWER + 1)))

    assert [(run["told"], run["deleted"]) for run in runs] == [(1, 0), (0, 0), (0, 0), (0, 0), (0, 1)]
    end = f"{after(DAYS_TO_ANSWER):%-d %B %Y}"
    assert told() == [(person.email, f"Draft {public_id} will be deleted on {end}") for person in (ada, bob)]
    assert not Submission.objects.exists()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert AuditEvent.objects.get(action="draft-forgotten").target_name == public_id


def test_draft_that_somebody_saved_meanwhile_stays_and_is_told_of_again() -> None:
    ada = make_person("Ada Author", "expert")
    draft = aged(make_submission(ada), 71)
    forget_old_drafts()
    deliver()
    text = CONTENT.to_json() | {"title": "Another title"}
    save_draft(draft, type(CONTENT).from_json(text), version=draft.version, actor=ada)

    runs = [forget_old_drafts(after(DAYS_TO_ANSWER + 1)), forget_old_drafts(after(71))]

    assert [(run["told"], run["deleted"]) for run in runs] == [(0, 0), (1, 0)]
    assert Submission.objects.count() == 1


def test_what_was_ever_sent_stays_and_so_does_everything_with_0_days(settings: Any) -> None:
    ada = make_person("Ada Author", "expert")
    for state in State:
        sent = aged(make_submission(ada, state), 5_000)
        if state not in (State.DRAFT, State.DISCARDED):
            make_revision(sent)

    ran = forget_old_drafts()
    settings.DRAFT_DAYS = 0

    assert (ran, forget_old_drafts(after(500))) == ({"told": 2, "deleted": 0}, {"told": 0, "deleted": 0})
    assert Submission.objects.count() == len(State)
