"""The one way to write the audit trail."""

from typing import Any

from django.db import models

from impactbench.common.models import AuditEvent
from impactbench.common.request_ids import current_request_id


def record(*, actor: Any, action: str, target: models.Model, details: dict[str, Any] | None = None) -> AuditEvent:
    """Write one event; `actor` is a user, or None for a command or the system. Part of the caller's transaction.

    Both are named by their `str`, which for a user is a pseudonym such as `account 17`: an event stays when a person
    is erased, so `details` must name nobody either.
    """
    return AuditEvent.objects.create(
        actor=actor,
        actor_name=str(actor) if actor is not None else "",
        action=action,
        target_type=target._meta.label_lower,
        target_id=str(target.pk),
        target_name=str(target)[:300],
        details=details or {},
        request_id=current_request_id(),
    )
