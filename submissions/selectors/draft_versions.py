"""Drafts as they were saved before."""

from submissions.content import Content
from submissions.models import DraftVersion, Submission


def content_of(submission: Submission, version: int) -> Content | None:
    """The draft as it was saved with that number; None when it is not kept any more."""
    row = DraftVersion.objects.filter(submission=submission, version=version).first() if version else None
    return Content.from_json(row.content) if row else None
