"""The audit trail outlives what it tells of."""

import pytest

from impactbench.accounts.models import User
from impactbench.common.audit import record
from impactbench.common.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_event_stays_when_actor_and_target_are_gone() -> None:
    actor = User.objects.create_user("ada@example.org")
    target = User.objects.create_user("bob@example.org")
    record(actor=actor, action="role-granted", target=target, details={"role": "editor"})

    target.delete()
    actor.delete()

    event = AuditEvent.objects.get()
    assert (event.actor_name, event.action, event.target_name) == (
        "ada@example.org",
        "role-granted",
        "bob@example.org",
    )
    assert event.actor is None
    assert event.details == {"role": "editor"}
