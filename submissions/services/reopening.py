"""Takes a withdrawn or rejected submission back, with a reason: the undo of a letter that has gone out."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from impactbench.common import mail
from impactbench.common.errors import DomainError
from submissions.addresses import page_of
from submissions.content import text_of
from submissions.models import Submission
from submissions.selectors.recipients import authors_of
from submissions.services.letters import Ours, Theirs, letter
from submissions.services.review_letters import title_sent
from submissions.services.transitions import take
from submissions.states import Action

LONGEST_REASON = 2_000

_REOPENED = """Dear author,

“$title” ($name) is open again: an editor has taken it back, and looks for reviewers. You need not do anything.

$address
"""


@transaction.atomic
def reopen(submission: Submission, *, actor: Any, reason: str) -> Submission:
    """Reopen it and tell its authors. Raises NotAllowed, WrongState, or DomainError without a reason."""
    reason = text_of(reason).strip()[:LONGEST_REASON]
    if not reason:
        raise DomainError("Say why it is reopened; the reason stays in the audit trail, for editors only.")
    fresh = take(Action.REOPEN, submission, actor=actor, details={"reason": reason})
    values: dict[str, Any] = {
        "title": Theirs(title_sent(fresh)),
        "name": Ours(fresh.public_id),
        "address": Ours(page_of(fresh)),
    }
    written = letter("Your metric $name is open again", _REOPENED, **values)
    n_before = mail.mails_about(fresh).filter(event="submission-reopened").values("round").distinct().count()
    for person in authors_of(fresh):
        mail.post(event="submission-reopened", kind="decision", to=person, about=fresh, subject=written.subject,
                  text=written.text, round=str(n_before + 1))  # fmt: skip
    return fresh
