"""Second factors: free for everybody, asked of editors and operators before they see what needs their role."""

import time
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, generate_totp_secret, hotp_value, validate_totp_code
from django.test import Client

from impactbench.common.models import AuditEvent
from impactbench.settings import base
from tests.impactbench.accounts.people import (
    add_authenticator_app,
    code_of_app,
    confirm_identity,
    make_person,
    second_factors,
    sign_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _required(settings: object) -> None:
    settings.REQUIRE_SECOND_FACTOR = True  # type: ignore[attr-defined]


@pytest.mark.parametrize("role", ["editor", "operator"])
def test_role_is_led_to_set_one_up(client: Client, role: str) -> None:
    client.force_login(make_person("ada@example.org", role))

    response = client.get("/runs/?state=running")
    page = client.get("/accounts/2fa/").content.decode()

    assert (response.status_code, response["Location"]) == (302, "/accounts/2fa/")
    assert "Set one up before you go on" in page


def test_public_pages_and_the_account_stay_open(client: Client) -> None:
    client.force_login(make_person("ada@example.org", "operator"))

    assert [client.get(path).status_code for path in ("/", "/accounts/profile/", "/healthz")] == [200, 200, 200]
    assert client.get("/accounts/people/")["Location"] == "/accounts/2fa/"


def test_with_an_app_the_page_answers(client: Client) -> None:
    user = make_person("ada@example.org", "operator")
    add_authenticator_app(user)
    client.force_login(user)

    assert client.get("/runs/").status_code == 200


def test_other_roles_and_other_settings_need_none(client: Client, settings: object) -> None:
    client.force_login(make_person("ada@example.org", "expert", "reviewer"))
    reviewer = client.get("/runs/").status_code
    settings.REQUIRE_SECOND_FACTOR = False  # type: ignore[attr-defined]
    client.force_login(make_person("bob@example.org", "operator"))

    assert (reviewer, client.get("/runs/").status_code) == (404, 200)


@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, {"Accept": "application/json"}])
def test_scripts_are_told_and_not_led_away(client: Client, headers: dict[str, str]) -> None:
    client.force_login(make_person("ada@example.org", "operator"))

    response = client.get("/runs/", headers=headers)

    assert response.status_code == 403
    assert "second factor" in response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_setting_up_an_app_leads_back_to_the_wanted_page(client: Client) -> None:
    user = make_person("ada@example.org", "operator")
    client.force_login(user)
    client.get("/runs/?state=running")
    confirm_identity(client)

    form = client.get("/accounts/2fa/totp/activate/")
    secret = form.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": code_of_app(secret)})
    codes = client.get("/accounts/2fa/recovery-codes/").content.decode()

    assert '<path class="p-qr__ink"' in form.content.decode()
    assert second_factors(user) == ["recovery_codes", "totp"]
    assert 'href="/runs/?state=running"' in codes
    assert client.get("/runs/?state=running").status_code == 200
    assert AuditEvent.objects.filter(action="second-factor-added", actor=user).count() == 2


def test_signing_in_asks_for_the_code(client: Client) -> None:
    user = make_person()
    secret = add_authenticator_app(user)

    first = sign_in(client)
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    before = "_auth_user_id" in client.session
    client.post("/accounts/2fa/authenticate/", {"code": code_of_app(secret)})

    assert first == "/accounts/2fa/authenticate/"
    assert "This code is not right" in wrong.content.decode()
    assert (before, "_auth_user_id" in client.session) == (False, True)


def test_code_of_an_app_is_good_for_its_own_30_seconds(settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = base.MFA_TOTP_TOLERANCE
    secret, step = generate_totp_secret(), int(time.time()) // 30

    codes = [format_hotp_value(hotp_value(secret, step + steps)) for steps in (-2, -1, 2)]

    assert [validate_totp_code(secret, code) for code in codes] == [False] * 3
