"""Accounts: e-mail addresses, roles, and signing in by a link that works once."""

from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.accounts.services import create_account, sign_in_token, user_of_token
from impactbench.common.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_create_account_twice_adds_roles_and_audits_each() -> None:
    user, is_new = create_account(email="ada@example.org", roles=["editor"])
    again, is_new_again = create_account(email="ADA@example.org", roles=["editor", "operator"])

    assert (is_new, is_new_again) == (True, False)
    assert again == user
    assert again.has_role("editor")
    assert again.has_role("operator")
    assert not again.has_role("reviewer")
    assert list(AuditEvent.objects.order_by("pk").values_list("action", flat=True)) == [
        "account-created",
        "role-granted",
        "role-granted",
    ]


def test_create_account_refuses_an_unknown_role() -> None:
    with pytest.raises(ValueError, match="there is no role 'king'"):
        create_account(email="ada@example.org", roles=["king"])

    assert User.objects.count() == 0


def test_one_address_in_any_case_is_one_account() -> None:
    User.objects.create_user("ada@example.org")

    with pytest.raises(IntegrityError):
        User.objects.create_user("Ada@example.org")


def test_sign_in_link_works_once(client: Client) -> None:
    user, _ = create_account(email="ada@example.org", roles=[])
    address = f"/accounts/sign-in/{sign_in_token(user)}/"

    looked_at = client.get(address)
    signed_in = client.post(address)
    again = client.post(address)

    assert looked_at.status_code == 200
    assert (signed_in.status_code, signed_in["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert again.status_code == 410


def test_looking_at_a_sign_in_link_does_not_sign_in(client: Client) -> None:
    user, _ = create_account(email="ada@example.org", roles=[])

    client.get(f"/accounts/sign-in/{sign_in_token(user)}/")

    assert "_auth_user_id" not in client.session


def test_forged_token_belongs_to_nobody() -> None:
    user, _ = create_account(email="ada@example.org", roles=[])
    token = sign_in_token(user)

    assert user_of_token(token) == user
    assert user_of_token(token + "x") is None
    assert user_of_token("nonsense") is None


def test_token_of_an_inactive_user_belongs_to_nobody() -> None:
    user, _ = create_account(email="ada@example.org", roles=[])
    token = sign_in_token(user)
    User.objects.update(is_active=False, last_login=None, joined_at=timezone.now())

    assert user_of_token(token) is None


def test_create_account_command() -> None:
    out = StringIO()

    call_command("create_account", "ada@example.org", "--role", "editor", "operator", stdout=out)

    link, summary = out.getvalue().splitlines()
    assert link.startswith("sign in within a day: http://localhost:8000/accounts/sign-in/")
    assert summary == "ada@example.org: made, editor, operator"


def test_create_account_command_refuses_a_bad_address() -> None:
    with pytest.raises(CommandError, match="'nobody' is not an e-mail address") as caught:
        call_command("create_account", "nobody")

    assert caught.value.returncode == 2


def test_remove_second_factor_command() -> None:
    out = StringIO()
    user, _ = create_account(email="ada@example.org", roles=["operator"])
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})

    call_command("remove_second_factor", "ADA@example.org", stdout=out)

    link, summary = out.getvalue().splitlines()
    assert link.startswith("sign in within a day: http://localhost:8000/accounts/sign-in/")
    assert summary == "ada@example.org: 1 second factors removed"
    assert AuditEvent.objects.latest("pk").action == "second-factor-removed"


def test_remove_second_factor_command_refuses_an_unknown_address() -> None:
    with pytest.raises(CommandError, match=r"there is no account of 'nobody@example\.org'") as caught:
        call_command("remove_second_factor", "nobody@example.org")

    assert caught.value.returncode == 2
