"""Files beside a submission: a few small ones, added and removed while the text can be changed."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import FileResponse
from django.utils import timezone

from impactbench.common import private_files
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.uploads import MOST_FILES, check_upload
from submissions.models import Attachment, Submission
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Standing, standing_of
from submissions.states import EDITABLE

# Everything that one person keeps here at a time, over all submissions.
MOST_BYTES = 200 * 1024 * 1024


@transaction.atomic
def attach(submission: Submission, upload: UploadedFile, *, actor: Any) -> Attachment:
    """Keep a file beside a submission; the same file again is the one that is there.

    Raises NotAllowed, WrongState, or DomainError with what is wrong with the file.
    """
    fresh = _held(submission, actor)
    checked = check_upload(upload)
    same = fresh.attachments.filter(removed_at=None, sha256=checked.sha256).first()
    if same is not None:
        return same
    if len(attachments_of(fresh)) >= MOST_FILES:
        raise DomainError(f"There are {MOST_FILES} files already; remove one first.")
    kept = Attachment.objects.filter(added_by=actor, removed_at=None).values_list("size", flat=True)
    if sum(kept) + checked.size > MOST_BYTES:
        raise DomainError("Your files together take too much room; remove some first.")
    row = Attachment.objects.create(
        submission=fresh,
        stored=private_files.store(checked),
        name=checked.name,
        content_type=checked.content_type,
        size=checked.size,
        sha256=checked.sha256,
        warning=" ".join(checked.warnings)[:300],
        added_by=actor,
    )
    record(actor=actor, action="attachment-added", target=fresh, details={"attachment": row.pk})
    return row


@transaction.atomic
def remove(submission: Submission, key: int, *, actor: Any) -> None:
    """Take a file off; versions that were sent with it keep it. Raises NotAllowed, WrongState or DomainError."""
    fresh = _held(submission, actor)
    row = next((row for row in attachments_of(fresh) if row.pk == key), None)
    if row is None:
        raise DomainError("This file was removed already.")
    row.removed_at = timezone.now()
    row.save(update_fields=["removed_at"])
    record(actor=actor, action="attachment-removed", target=fresh, details={"attachment": row.pk})


def attachments_of(submission: Submission) -> list[Attachment]:
    """The files that are there now, in the order they were added."""
    return list(submission.attachments.filter(removed_at=None))


def download(attachment: Attachment, *, name: str) -> FileResponse:
    """The file as a download called `name`; the caller has checked who asks. Raises Http404 when it is gone."""
    return private_files.private_file_response(attachment.stored, name)


def _held(submission: Submission, actor: Any) -> Submission:
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors change the files of a submission.")
    if fresh.state not in EDITABLE:
        raise WrongState("This submission has been sent; its files cannot be changed now.")
    return fresh
