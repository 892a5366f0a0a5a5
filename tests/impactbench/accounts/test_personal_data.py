"""Data rights: taking everything along, and being forgotten."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import connection
from django.test import Client

from impactbench.accounts import personal_data
from impactbench.accounts.erasure import erase_account
from impactbench.accounts.models import User
from impactbench.accounts.naming import display_label
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.mail import post
from impactbench.common.models import AuditEvent
from tests.impactbench.accounts.people import (
    add_authenticator_app,
    confirm_identity,
    make_person,
    second_factors,
    signed_in,
)

pytestmark = pytest.mark.django_db
EMAIL, NAME, PLACE, ORCID = "ada.byron@uni.example", "Ada Byron", "Analytical Engines", "0000-0002-1825-0097"
KEPT = {"auth_permission", "django_content_type", "django_migrations"}


@pytest.fixture
def ada(client: Client) -> User:
    """Somebody who left traces wherever accounts keep any."""
    user = make_person(EMAIL, "expert", "reviewer", name=NAME, affiliation=PLACE, conflicts_of_interest=f"not {NAME}")
    SocialAccount.objects.create(user=user, provider="orcid", uid=ORCID, extra_data={"name": NAME})
    signed_in(client, user)
    add_authenticator_app(user)
    record(actor=user, action="something-done", target=user)
    post(event="welcome", kind="account", to=user, subject=f"Dear {NAME}", text=f"Dear {NAME}, this goes to {EMAIL}.")
    post(event="invited", kind="account", address=EMAIL, subject="Hello", text=f"Dear {NAME}")
    return user


def _traces() -> list[str]:
    """Every text in every table that tells who Ada is."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'character')"
        )
        for table, column in cursor.fetchall():
            if table in KEPT:
                continue
            for word in (EMAIL, NAME, PLACE, ORCID, "ada.byron"):
                cursor.execute(f'SELECT count(*) FROM "{table}" WHERE "{column}"::text ILIKE %s', [f"%{word}%"])
                if cursor.fetchone()[0]:
                    found.append(f"{table}.{column}: {word}")
    return found


def test_sweep_sees_traces(ada: User) -> None:
    found = {trace.split(":")[0] for trace in _traces()}

    assert {"accounts_user.email", "account_emailaddress.email", "common_outgoingmail.text"} <= found
    assert {trace for trace in found if trace.startswith("common_auditevent")} == set()


def test_erased_account_leaves_no_trace_in_any_table(client: Client, ada: User) -> None:
    confirm_identity(client)
    response = client.post("/accounts/data/erase/", {"understood": "on"})

    ada.refresh_from_db()
    assert (response.status_code, response["Location"]) == (302, "/")
    assert _traces() == []
    assert (ada.email, ada.is_active, ada.has_usable_password()) == (f"erased-{ada.pk}@erased.invalid", False, False)
    assert (ada.roles, second_factors(ada), display_label(ada)) == (frozenset(), [], "an erased account")
    assert not UserSession.objects.filter(user=ada).exists()
    assert not EmailAddress.objects.filter(user=ada).exists()
    assert client.get("/accounts/profile/").status_code == 302
    events = AuditEvent.objects.filter(actor=ada)
    assert set(events.values_list("actor_name", flat=True)) == {f"account {ada.pk}"}
    assert events.filter(action="account-erased").count() == 1


def test_other_sessions_of_an_erased_account_are_dead(ada: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(ada)

    erase_account(ada)

    assert elsewhere.get("/accounts/profile/").status_code == 302


def test_erasing_asks_for_the_password_and_for_a_yes(client: Client, ada: User) -> None:
    asked = client.post("/accounts/data/erase/", {"understood": "on"})
    confirm_identity(client)
    without_yes = client.post("/accounts/data/erase/", {})

    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert without_yes.status_code == 422
    assert User.objects.get().email == EMAIL


def test_last_operator_cannot_be_erased() -> None:
    operator = make_person("op@example.org", "operator")

    with pytest.raises(DomainError, match="last operator"):
        erase_account(operator)

    assert User.objects.get().email == "op@example.org"


def test_export_holds_every_part(client: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal_data, "_parts", dict(personal_data._parts))
    personal_data.register("reviews", lambda user: [{"of": user.pk}], lambda _user: None)

    response = client.get("/accounts/data/export/")
    content = json.loads(response.content)

    assert response["Content-Disposition"] == 'attachment; filename="impactbench-my-data.json"'
    assert content["reviews"] == [{"of": ada.pk}]
    account = content["account"]
    assert (account["email"], account["name"], account["roles"]) == (EMAIL, NAME, ["expert", "reviewer"])
    assert account["linked_accounts"][0]["uid"] == ORCID
    assert "secret" not in json.dumps(account["second_factors"])
    assert "something-done" in {action["action"] for action in account["actions"]}


def test_parts_of_other_applications_are_erased_first(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(personal_data, "_parts", dict(personal_data._parts))
    personal_data.register("reviews", lambda _user: [], lambda user: seen.append(user.email))

    erase_account(ada)

    assert seen == [EMAIL]


def test_every_field_of_a_person_is_blanked_or_known_to_stay() -> None:
    fields = {field.name for field in apps.get_model("accounts", "User")._meta.concrete_fields}

    assert fields == {
        *("id", "last_login", "is_superuser", "joined_at", "erased_at"),
        *("password", "email", "name", "affiliation", "expertise", "country", "time_zone", "conflicts_of_interest"),
        *("wants_to_review", "muted_mail_kinds", "is_active"),
    }
