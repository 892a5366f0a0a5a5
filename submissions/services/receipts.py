"""Letters to authors about what they sent, and to reviewers about what was taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from impactbench.common import mail
from impactbench.common.defusing import defuse
from impactbench.common.moments import when
from submissions.addresses import page_of
from submissions.content import FIELD_NAMES, Content
from submissions.field_words import in_words
from submissions.models import Revision, Submission

SENT, WITHDRAWN = "submission-sent", "submission-withdrawn"
NO_TEXT = "(nothing)"


def post_receipts(revision: Revision, authors: Iterable[Any]) -> None:
    """One letter to each author: the reference, the moment in their own time, and a copy of what was sent."""
    submission = revision.submission
    for author in authors:
        mail.post(
            event=SENT,
            kind="receipt",
            to=author,
            about=submission,
            subject=f"Receipt {revision.receipt}: {defuse(submission.title)}",
            text=_receipt_text(revision, author),
            round=str(revision.number),
        )


def post_withdrawn(submission: Submission, people: Iterable[Any]) -> None:
    """Tell the people who were asked to review that nothing is left to do; no reason, no name."""
    for person in people:
        mail.post(
            event=WITHDRAWN,
            kind="assignment",
            to=person,
            about=submission,
            subject=f"No review needed any more: {submission.public_id}",
            text=(
                f"The submission {submission.public_id} was taken back by its author.\n\n"
                "You need not do anything. Thank you for your time.\n"
            ),
            round=str(submission.revisions.count()),
        )


def copy_of(content: Content) -> str:
    """What was sent as plain text, field by field, with nothing in it that a mail program makes clickable."""
    parts = []
    for field, name in FIELD_NAMES.items():
        lines = [defuse(line) for line in in_words(field, getattr(content, field)).split("\n")]
        text = "\n".join(lines).strip() or NO_TEXT
        parts.append(f"{name}\n{'-' * len(name)}\n{text}")
    return "\n\n".join(parts)


def _receipt_text(revision: Revision, author: Any) -> str:
    submission = revision.submission
    return (
        f"Thank you. Version {revision.number} of your submission arrived.\n\n"
        f"Receipt: {revision.receipt}\n"
        f"Sent: {when(revision.sent_at, author)}\n"
        f"Where it is: {page_of(submission)}\n\n"
        "What happens next: reviewers read it, then an editor decides and writes to you. You can withdraw it until it "
        "is decided.\n\n"
        f"This is what was sent:\n\n{copy_of(revision.text)}\n"
    )
