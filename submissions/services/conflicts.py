"""Conflicts that editors note for somebody, and clear."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.content import text_of
from submissions.models import Assignment, Conflict, Submission
from submissions.services.transitions import NotAllowed, locked
from submissions.standing import Standing, standing_of

LONGEST_REASON = 2_000


@transaction.atomic
def note(submission: Submission, *, email: str, reason: str, actor: Any) -> Conflict:
    """Shut the person of that address out, at once; noted twice, the first one stays.

    What they were asked to do here ends. Raises NotAllowed, or DomainError when nobody has that address.
    """
    fresh = _held(submission, actor)
    person = User.objects.by_email(email.strip())
    if person is None:
        raise DomainError("No account has this address. People without an account see nothing anyway.")
    if fresh.owner_id == person.pk:
        raise DomainError("This is its author, who is kept out of the review already.")
    conflict, is_new = Conflict.objects.get_or_create(
        submission=fresh,
        person=person,
        cleared_at=None,
        defaults={"kind": Conflict.Kind.FOUND, "reason": text_of(reason).strip()[:LONGEST_REASON]},
    )
    if is_new:
        _end_assignments(fresh, person)
        record(actor=actor, action="conflict-noted", target=fresh, details={"conflict": conflict.pk})
    return conflict


@transaction.atomic
def clear(conflict: Conflict, *, actor: Any) -> Conflict:
    """Let the person in again; twice is once. Raises NotAllowed."""
    fresh = _held(conflict.submission, actor)
    row = Conflict.objects.select_for_update().get(pk=conflict.pk)
    if row.cleared_at is None:
        row.cleared_at, row.cleared_by = timezone.now(), actor
        row.save(update_fields=["cleared_at", "cleared_by"])
        record(actor=actor, action="conflict-cleared", target=fresh, details={"conflict": row.pk})
    return row


def _end_assignments(submission: Submission, person: Any) -> None:
    """An invitation ends as a conflict; who had opened the text has handed it back, and stays blind."""
    for assignment in Assignment.objects.filter(round__submission=submission, person=person):
        if assignment.state == Assignment.State.INVITED:
            assignment.state = Assignment.State.CONFLICT
        elif assignment.state == Assignment.State.ACCEPTED:
            assignment.state = Assignment.State.HANDED_BACK
        else:
            continue
        assignment.save(update_fields=["state"])
        mail.cancel(about=assignment, to=person)


def _held(submission: Submission, actor: Any) -> Submission:
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.EDITOR:
        raise NotAllowed("Conflicts are noted and cleared by editors who have none themselves.")
    return fresh
