"""More time, asked for by authors and answered by editors."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.moments import when
from submissions.addresses import page_of
from submissions.models import Extension
from submissions.selectors.extensions import answerable_extensions
from submissions.services.letters import Ours, letter
from submissions.services.transitions import NotAllowed, WrongState, locked

_GRANTED = """Dear author,

you have more time for $name: until $until

$address
"""

_REFUSED = """Dear author,

we cannot give more time for $name. What you wrote is kept, at
$address
"""


@transaction.atomic
def answer(extension: Extension, *, until: datetime | None, actor: Any) -> Extension:
    """Grant more time until an instant, or refuse it (None), and tell the author.

    Answered twice the same way is once. Raises NotAllowed, WrongState for one answered otherwise, DomainError for an
    instant that has passed.
    """
    submission = locked(extension.submission)
    row = Extension.objects.select_for_update().get(pk=extension.pk)
    if not answerable_extensions(actor).filter(pk=row.pk).exists():
        raise NotAllowed("More time is given by editors who neither wrote it nor have a conflict.")
    if row.answered_at is not None:
        if row.until == until:
            return row
        raise WrongState("Another editor has answered this already.")
    if until is not None and until <= timezone.now():
        raise DomainError("Choose a date that is still to come.")
    row.until, row.granted_by, row.answered_at = until, actor, timezone.now()
    row.save()
    details = {"granted": until is not None, "until": until.isoformat() if until else None}
    record(actor=actor, action="more-time-answered", target=submission, details=details)
    _tell(row, submission.owner)
    return row


def _tell(extension: Extension, owner: Any) -> None:
    submission, granted = extension.submission, extension.until is not None
    values = {
        "name": Ours(submission.public_id),
        "until": Ours(when(extension.until, owner) if extension.until else ""),
        "address": Ours(page_of(submission)),
    }
    subject = "More time for $name" if granted else "No more time for $name"
    written = letter(subject, _GRANTED if granted else _REFUSED, **values)
    mail.post(event="extension-answered", kind="decision", to=owner, about=submission, subject=written.subject,
              text=written.text, round=f"extension {extension.pk}")  # fmt: skip
