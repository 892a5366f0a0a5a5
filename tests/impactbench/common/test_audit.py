"""The audit trail outlives what it tells of."""

import pytest
from django.db import IntegrityError

from impactbench.accounts.models import User
from impactbench.common.audit import record
from impactbench.common.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_event_stays_when_actor_and_target_are_gone() -> None:
    actor = User.objects.create_user("ada@example.org")
    target = User.objects.create_user("bob@example.org")
    record(actor=actor, action="role-granted", target=target, details={"role": "editor"})
    pseudonyms = f"account {actor.pk}", f"account {target.pk}"

    target.delete()
    actor.delete()

    event = AuditEvent.objects.get()
    assert (event.actor_name, event.target_name) == pseudonyms
    assert event.action == "role-granted"
    assert event.actor is None
    assert event.details == {"role": "editor"}


def _event() -> AuditEvent:
    ada = User.objects.create_user("ada@example.org")
    return record(actor=ada, action="role-granted", target=ada, details={"role": "editor"})


@pytest.mark.parametrize(
    "changed",
    [
        {"action": "role-removed"},
        {"details": {}},
        {"at": "2020-01-01T00:00:00Z"},
        {"target_id": "7"},
        {"request_id": "another"},
        {"actor_id": 12345},
        {"actor_name": "account 1", "action": "role-removed"},
    ],
)
def test_database_refuses_to_change_an_event(changed: dict[str, object]) -> None:
    event = _event()

    with pytest.raises(IntegrityError, match="append-only"):
        AuditEvent.objects.filter(pk=event.pk).update(**changed)


def test_database_refuses_to_delete_an_event() -> None:
    event = _event()

    with pytest.raises(IntegrityError, match="append-only"):
        event.delete()


def test_names_of_people_may_give_way_to_pseudonyms() -> None:
    event = _event()

    n_changed = AuditEvent.objects.filter(pk=event.pk).update(actor_name="account 1", target_name="account 1")

    event.refresh_from_db()
    assert (n_changed, event.actor_name, event.target_name) == (1, "account 1", "account 1")
