"""Roles: given and taken by operators, never all taken."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from impactbench.accounts.models import User
from impactbench.accounts.services import grant_role, revoke_role
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent
from tests.impactbench.accounts.people import confirm_identity, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator() -> User:
    return make_person("op@example.org", "operator")


def test_granting_twice_is_one_role_and_one_event(operator: User) -> None:
    ada = make_person()
    AuditEvent.objects.all()

    assert (grant_role(ada, "editor", operator), grant_role(ada, "editor", operator)) == (True, False)
    assert ada.has_role("editor")
    event = AuditEvent.objects.get(actor=operator)
    assert (event.action, event.target_id, event.details) == ("role-granted", str(ada.pk), {"role": "editor"})


def test_revoked_role_is_gone_at_once(operator: User) -> None:
    ada = make_person("ada@example.org", "editor")

    assert (revoke_role(ada, "editor", operator), revoke_role(ada, "editor", operator)) == (True, False)
    assert not ada.has_role("editor")
    assert AuditEvent.objects.filter(action="role-revoked").count() == 1


def test_role_counts_from_the_next_request_on(client: Client, operator: User) -> None:
    ada = make_person()
    client.force_login(ada)
    before = client.get("/accounts/people/").status_code
    grant_role(ada, "operator", operator)
    with_role = client.get("/accounts/people/").status_code
    revoke_role(ada, "operator", operator)

    assert (before, with_role, client.get("/accounts/people/").status_code) == (404, 200, 404)


def test_last_operator_stays(operator: User) -> None:
    make_person("gone@example.org", "operator", is_active=False)

    with pytest.raises(DomainError, match="last operator"):
        revoke_role(operator, "operator", operator)

    assert User.objects.get(pk=operator.pk).has_role("operator")


def test_unknown_role_is_refused(operator: User) -> None:
    with pytest.raises(ValueError, match="there is no role 'king'"):
        grant_role(operator, "king", None)


@pytest.mark.parametrize("role", ["expert", "reviewer", "editor"])
def test_page_is_for_operators(client: Client, role: str) -> None:
    ada = make_person("ada@example.org", role)
    client.force_login(ada)

    assert client.get("/accounts/people/").status_code == 404
    assert client.post(f"/accounts/people/{ada.pk}/roles/", {"role": "operator", "action": "grant"}).status_code == 404
    assert not User.objects.get().has_role("operator")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", ["Ada Lovelace", "an account without a name"]),
        ("lovelace", ["Ada Lovelace"]),
        ("ADA@example.org", ["Ada Lovelace"]),
        ("ada@", []),
        ("example.org", []),
    ],
)
def test_search_takes_a_whole_address_or_a_part_of_a_name(
    client: Client, operator: User, words: str, found: list[str]
) -> None:
    make_person("ada@example.org", name="Ada Lovelace")
    client.force_login(operator)

    rows = client.get("/accounts/people/", {"q": words}).context["rows"]

    assert [row["label"] for row in rows] == found


def test_more_people_need_no_more_queries(client: Client, operator: User) -> None:
    client.force_login(operator)
    with CaptureQueriesContext(connection) as few:
        client.get("/accounts/people/")
    for name in "abc":
        make_person(f"{name}@example.org", "expert")

    with CaptureQueriesContext(connection) as more:
        client.get("/accounts/people/")

    assert len(more) == len(few)


def test_giving_a_role_asks_for_the_password_and_then_does_it(client: Client, operator: User) -> None:
    ada = make_person()
    client.force_login(operator)
    address, role = f"/accounts/people/{ada.pk}/roles/", {"role": "editor", "action": "grant"}

    asked = client.post(address, role)
    confirm_identity(client)
    client.post(address, role)

    assert asked["Location"].startswith("/accounts/reauthenticate/?next=")
    assert User.objects.get(pk=ada.pk).has_role("editor")
    assert AuditEvent.objects.get(action="role-granted", target_id=ada.pk).actor == operator


def test_last_operator_is_told(client: Client, operator: User) -> None:
    client.force_login(operator)
    confirm_identity(client)

    response = client.post(
        f"/accounts/people/{operator.pk}/roles/", {"role": "operator", "action": "revoke"}, follow=True
    )

    assert "This is the last operator." in response.content.decode()
    assert User.objects.get().has_role("operator")
