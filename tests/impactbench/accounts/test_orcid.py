"""Signing in with ORCID, against a provider of our own, by the real client code from end to end."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from impactbench.accounts.models import User
from impactbench.accounts.orcid import orcid_of
from impactbench.settings.orcid import orcid_providers
from tests.impactbench.accounts.people import PASSWORD, code_of_last_mail, make_person, signed_in
from tests.support.oidc_server import CLIENT_ID, CLIENT_SECRET, OidcServer, Person

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/oidc/orcid/login/"


@pytest.fixture(scope="module")
def server() -> Iterator[OidcServer]:
    with OidcServer() as server:
        yield server


@pytest.fixture
def orcid(server: OidcServer, settings: Any) -> OidcServer:
    settings.SOCIALACCOUNT_PROVIDERS = orcid_providers(client_id=CLIENT_ID, secret=CLIENT_SECRET, server=server.url)
    server.person = Person("0000-0002-1825-0097", {"name": "Josiah Carberry"})
    server.breaks, server.claims, server.issuer, server.sign = False, {}, "", server.signed
    server.requests.clear()
    return server


def come_back(client: Client, start: str = LOGIN) -> Any:
    """Press the button, agree at the provider, and return with what it gave."""
    leaving = client.post(start)
    assert leaving.status_code == 302, leaving.content
    agreed = requests.get(leaving["Location"], allow_redirects=False, timeout=5)
    return client.get(agreed.headers["Location"])


def test_newcomer_gives_an_address_confirms_it_and_is_an_expert(client: Client, orcid: OidcServer) -> None:
    asked = come_back(client)
    client.post(asked["Location"], {"email": "josiah@uni.example"})
    nobody_yet = "_auth_user_id" in client.session
    done = client.post("/accounts/confirm-email/", {"code": code_of_last_mail()})

    user = User.objects.get()
    assert asked["Location"] == "/accounts/3rdparty/signup/"
    assert (nobody_yet, done["Location"]) == (False, "/accounts/profile/")
    assert (user.name, user.email, orcid_of(user)) == ("Josiah Carberry", "josiah@uni.example", "0000-0002-1825-0097")
    assert user.has_role("expert")
    assert "0000-0002-1825-0097" in client.get("/accounts/profile/").content.decode()


def test_state_nonce_and_proof_key_are_sent(client: Client, orcid: OidcServer) -> None:
    come_back(client)

    asked = dict(orcid.requests)["/oauth/authorize"]
    assert (asked["scope"], asked["code_challenge_method"], asked["response_type"]) == ("openid", "S256", "code")
    assert len(asked["state"]) >= 16
    assert len(asked["nonce"]) == 43
    assert dict(orcid.requests)["/oauth/token"]["code_verifier"]


def test_answer_with_a_foreign_state_is_refused(client: Client, orcid: OidcServer) -> None:
    leaving = client.post(LOGIN)
    agreed = requests.get(leaving["Location"], allow_redirects=False, timeout=5)
    stranger = Client()

    response = stranger.get(agreed.headers["Location"])

    assert "did not work" in response.content.decode()
    assert User.objects.count() == 0


def test_known_person_is_signed_in_by_the_id(client: Client, orcid: OidcServer) -> None:
    user = make_person()
    SocialAccount.objects.create(user=user, provider="orcid", uid="0000-0002-1825-0097")

    response = come_back(client, f"{LOGIN}?next=/accounts/data/")

    assert response["Location"] == "/accounts/data/"
    assert client.session["_auth_user_id"] == str(user.pk)


def test_same_address_is_not_enough_to_get_into_an_account(client: Client, orcid: OidcServer) -> None:
    user = make_person("ada@example.org")
    orcid.person = Person("0000-0001-0000-0001", {"email": "ada@example.org", "email_verified": True})

    come_back(client)

    assert "_auth_user_id" not in client.session
    assert not SocialAccount.objects.filter(user=user).exists()


def test_id_is_linked_to_the_account_that_is_signed_in(client: Client, orcid: OidcServer) -> None:
    user = make_person()
    signed_in(client, user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    come_back(client, f"{LOGIN}?process=connect")
    page = client.get("/accounts/3rdparty/").content.decode()

    assert orcid_of(user) == "0000-0002-1825-0097"
    assert "Your ORCID iD is linked." in page
    assert "Unlink it" in page


def test_complaint_26_two_accounts_and_one_id_gives_a_clear_message(client: Client, orcid: OidcServer) -> None:
    first, second = make_person("first@example.org"), make_person("second@example.org")
    SocialAccount.objects.create(user=first, provider="orcid", uid="0000-0002-1825-0097")
    signed_in(client, second)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    response = come_back(client, f"{LOGIN}?process=connect")
    page = client.get(response["Location"]).content.decode()

    assert "This ORCID iD is linked to another account here." in page
    assert (orcid_of(first), orcid_of(second)) == ("0000-0002-1825-0097", "")


def test_provider_that_fails_is_told_in_words(client: Client, orcid: OidcServer) -> None:
    orcid.breaks = True

    response = come_back(client)

    assert "Signing in with ORCID did not work" in response.content.decode()


def test_forms_may_lead_to_the_provider_only_when_it_is_set_up(
    client: Client, orcid: OidcServer, settings: Any
) -> None:
    with_it = client.get("/accounts/login/")
    settings.SOCIALACCOUNT_PROVIDERS = {}
    without = client.get("/accounts/login/")

    assert f"form-action 'self' {orcid.url};" in with_it["Content-Security-Policy"]
    assert "form-action 'self';" in without["Content-Security-Policy"]
    assert ("with ORCID" in with_it.content.decode(), "ORCID" in without.content.decode()) == (True, False)
    assert Client().post(LOGIN).status_code == 404


def test_address_of_the_newcomer_is_checked_against_other_accounts(client: Client, orcid: OidcServer) -> None:
    make_person("ada@example.org")
    asked = come_back(client)

    client.post(asked["Location"], {"email": "ada@example.org"})

    assert "_auth_user_id" not in client.session
    assert User.objects.count() == 1
    assert EmailAddress.objects.count() == 1


@pytest.mark.parametrize(
    ("client_id", "secret", "server"),
    [("a", "", "https://orcid.org"), ("", "b", "https://orcid.org"), ("a", "b", "orcid.org")],
)
def test_half_a_setting_stops_the_program(client_id: str, secret: str, server: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="ORCID_"):
        orcid_providers(client_id=client_id, secret=secret, server=server)
