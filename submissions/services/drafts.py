"""Opens, saves and sends drafts; the one place where `Submission.content` is written."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import Metric
from impactbench.accounts.organisations import verified_domains
from impactbench.common import private_files
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.content import Content
from submissions.models import Call, DraftVersion, Submission
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Standing, standing_of
from submissions.states import EDITABLE

# A person's drafts that are neither sent nor discarded.
MOST_DRAFTS = 50
KEPT_VERSIONS = 200


class StaleDraft(DomainError):
    """The draft was saved elsewhere since the form was opened; carries what is stored now."""

    def __init__(self, submission: Submission) -> None:
        super().__init__("This draft was changed elsewhere. Both texts are kept; choose what stays.")
        self.submission = submission


@transaction.atomic
def open_draft(
    owner: Any,
    *,
    content: Content | None = None,
    call: Call | None = None,
    clone_of: Submission | None = None,
    improves: Metric | None = None,
) -> Submission:
    """A new draft of this person. Raises DomainError when they have `MOST_DRAFTS` already."""
    if Submission.objects.filter(owner=owner, state="draft").count() >= MOST_DRAFTS:
        raise DomainError(f"You have {MOST_DRAFTS} drafts. Send or discard one before you begin another.")
    stored = (content or Content()).to_json()
    submission = Submission.objects.create(
        owner=owner,
        call=call,
        content=stored,
        clone_of=clone_of,
        improves=improves,
        author_domains=verified_domains(owner),
    )
    DraftVersion.objects.create(submission=submission, version=1, content=stored, saved_by=owner)
    record(actor=owner, action="submission-opened", target=submission)
    return submission


@transaction.atomic
def save_draft(submission: Submission, content: Content, *, version: int, actor: Any) -> Submission:
    """Keep the text; `version` is the one that the form was opened on. The same text again changes nothing.

    Every saved text stays in the draft's versions (the last `KEPT_VERSIONS` of them). Raises NotAllowed, WrongState,
    or StaleDraft when another window or co-author saved in between; then nothing is overwritten.
    """
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors change a submission.")
    if fresh.state not in EDITABLE:
        raise WrongState("This submission has been sent; its text cannot be changed now.")
    stored = content.to_json()
    if stored == Content.from_json(fresh.content).to_json():
        return fresh
    if version != fresh.version:
        raise StaleDraft(fresh)
    fresh.content, fresh.version, fresh.saved_at = stored, fresh.version + 1, timezone.now()
    fresh.save(update_fields=["content", "version", "saved_at"])
    DraftVersion.objects.create(submission=fresh, version=fresh.version, content=stored, saved_by=actor)
    DraftVersion.objects.filter(submission=fresh, version__lte=fresh.version - KEPT_VERSIONS).delete()
    return fresh


def delete_draft(submission: Submission) -> None:
    """Delete a draft that was never sent, with its files and comments; part of the caller's transaction."""
    for file in submission.attachments.all():
        transaction.on_commit(partial(private_files.discard, file.stored))
    submission.attachments.all().delete()
    submission.comments.all().delete()
    submission.delete()
