"""Signing in and out, new passwords and new addresses."""

import re

import pytest
from django.core import mail
from django.test import Client

from impactbench.accounts.models import User
from impactbench.common.models import AuditEvent
from tests.impactbench.accounts.people import PASSWORD, code_of_last_mail, confirm_identity, make_person, sign_in

pytestmark = pytest.mark.django_db
NEW = "another long password 7"


@pytest.mark.parametrize(
    ("roles", "page"),
    [
        ([], "/"),
        (["expert"], "/submissions/"),
        (["expert", "reviewer"], "/review/"),
        (["editor"], "/review/"),
        (["expert", "editor", "operator"], "/runs/"),
    ],
)
def test_signing_in_leads_to_ones_work(client: Client, roles: list[str], page: str) -> None:
    make_person("ada@example.org", *roles)

    assert sign_in(client, "Ada@Example.org") == page


@pytest.mark.parametrize(
    ("wanted", "led_to"),
    [
        ("/accounts/data/?x=1", "/accounts/data/?x=1"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_only_pages_of_this_site_come_next(client: Client, wanted: str, led_to: str) -> None:
    make_person()

    assert sign_in(client, next=wanted) == led_to


def test_wrong_password_and_unknown_address_get_the_same_answer(client: Client) -> None:
    make_person()

    texts = [
        re.sub(r'value="[^"]*"', "", client.post("/accounts/login/", data).content.decode())
        for data in (
            {"login": "ada@example.org", "password": "wrong"},
            {"login": "bob@example.org", "password": "wrong"},
        )
    ]

    assert texts[0] == texts[1]
    assert "not correct" in texts[0]


def test_after_five_wrong_passwords_the_right_one_waits_too(client: Client) -> None:
    make_person()
    for _ in range(5):
        assert not sign_in(client, password="wrong")

    assert not sign_in(client)
    assert not sign_in(Client(REMOTE_ADDR="10.1.1.1"))


def test_limits_count_the_address_that_our_own_proxy_saw(client: Client, settings: object) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1  # type: ignore[attr-defined]
    for n in range(31):
        answer = client.post("/accounts/login/", {}, headers={"X-Forwarded-For": f"1.2.3.{n}, 10.9.9.9"})
    other = client.post("/accounts/login/", {}, headers={"X-Forwarded-For": "10.9.9.8"})

    assert (answer.status_code, other.status_code) == (429, 200)


def test_header_with_too_few_proxies_is_no_fault_of_ours(client: Client, settings: object) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2  # type: ignore[attr-defined]

    assert client.post("/accounts/login/", {}, headers={"X-Forwarded-For": "1.2.3.4"}).status_code == 200


def test_signing_out_is_a_post(client: Client) -> None:
    client.force_login(make_person())

    client.get("/accounts/logout/")
    still = "_auth_user_id" in client.session
    client.post("/accounts/logout/")

    assert (still, "_auth_user_id" in client.session) == (True, False)


def test_new_password_by_a_link_that_works_once(client: Client) -> None:
    user = make_person()
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    link = re.search(r"http://testserver(\S+)", str(mail.outbox[-1].body)).group(1)  # type: ignore[union-attr]

    form = client.get(link)
    client.post(form["Location"], {"password1": NEW, "password2": NEW})
    again = Client().get(link)

    user.refresh_from_db()
    assert user.check_password(NEW)
    assert "no longer works" in again.content.decode()


def test_asking_for_a_new_password_tells_nobody_who_has_an_account(client: Client) -> None:
    make_person()

    known = client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "bob@example.org"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [letter.subject for letter in mail.outbox] == [
        "Set a new password for ImpactBench",
        "No account at ImpactBench",
    ]


def test_new_password_ends_all_other_sessions(client: Client) -> None:
    user = make_person()
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.force_login(user)

    confirm_identity(client)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})

    assert client.get("/accounts/profile/").status_code == 200
    assert elsewhere.get("/accounts/profile/").status_code == 302
    assert AuditEvent.objects.get(action="password-changed").actor == user


def test_new_address_is_used_when_it_is_confirmed_and_ends_other_sessions(client: Client) -> None:
    user = make_person()
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.force_login(user)

    confirm_identity(client)
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    before = User.objects.get().email
    client.post("/accounts/confirm-email/", {"code": code_of_last_mail()})

    assert (before, User.objects.get().email) == ("ada@example.org", "new@example.org")
    assert client.get("/accounts/profile/").status_code == 200
    assert elsewhere.get("/accounts/profile/").status_code == 302
    assert mail.outbox[-1].to == ["ada@example.org"]
    event = AuditEvent.objects.get(action="address-changed")
    assert (event.target_name, event.details) == (f"account {user.pk}", {})


def test_changing_the_address_asks_for_the_password_again(client: Client) -> None:
    client.force_login(make_person())

    response = client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})

    assert response["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
    assert mail.outbox == []


def test_link_of_an_operator_still_asks_for_the_second_factor(client: Client) -> None:
    from impactbench.accounts.services import sign_in_token
    from tests.impactbench.accounts.people import add_authenticator_app

    user = make_person()
    add_authenticator_app(user)

    response = client.post(f"/accounts/sign-in/{sign_in_token(user)}/")

    assert response["Location"] == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in client.session
