"""Calls as editors make and change them; what was promised to people who sent something stays as it was."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Call, Submission
from submissions.services.transitions import NotAllowed


@dataclass(frozen=True, slots=True)
class CallRules:
    """All that an editor sets; instants, not local times."""

    slug: str
    title: str
    description: str
    opens_at: datetime
    closes_at: datetime | None
    grace: timedelta
    time_zone: str
    blinding: str
    reviewers_wanted: int
    review_days: int
    answer_days: int


@transaction.atomic
def save_call(rules: CallRules, *, call: Call | None, actor: Any) -> Call:
    """Make a call, or change one. Raises NotAllowed, or DomainError with what stands against it."""
    if not actor.has_role("editor"):
        raise NotAllowed("Calls are made by editors.")
    kept = Call.objects.select_for_update().get(pk=call.pk) if call is not None else Call()
    if rules.closes_at is not None and rules.closes_at <= rules.opens_at:
        raise DomainError("The call closes before it opens; choose a later end.")
    if rules.slug == "new":
        raise DomainError("The id “new” is taken by the page for new calls. Choose another id.")
    if Call.objects.filter(slug=rules.slug).exclude(pk=kept.pk).exists():
        raise DomainError(f"There is a call with the id {rules.slug} already. Choose another id.")
    if call is not None and kept.blinding != rules.blinding:
        _check_blinding(kept)
    before = {name: str(getattr(kept, name)) for name in asdict(rules)} if call is not None else {}
    for name, value in asdict(rules).items():
        setattr(kept, name, value)
    kept.save()
    changed = [name for name, value in before.items() if value != str(getattr(kept, name))]
    if call is None or changed:
        record(actor=actor, action="call-changed" if call else "call-made", target=kept, details={"changed": changed})
    return kept


def is_reviewed(call: Call) -> bool:
    """Whether a submission of the call is under review or has been."""
    return Submission.objects.filter(call=call, rounds__isnull=False).exists()


def _check_blinding(call: Call) -> None:
    if is_reviewed(call):
        raise DomainError(
            "Who sees whom cannot be changed: submissions of this call are, or have been, under review, and their "
            "authors were promised the other way. Make a new call instead."
        )
