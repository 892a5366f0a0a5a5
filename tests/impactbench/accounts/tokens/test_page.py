"""/accounts/tokens/: a token is made with the password at hand, shown once, and revoked with one press."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from impactbench.accounts.models import AccessToken
from impactbench.accounts.tokens.services import make_token
from impactbench.accounts.tokens.texts import PATTERN
from tests.impactbench.accounts.people import PASSWORD, confirm_identity, make_person

pytestmark = pytest.mark.django_db
URL = "/accounts/tokens/"
FORM = {"name": "laptop <b>", "scopes": ["submissions:read"], "days": "30"}


def test_token_is_shown_once(client: Client) -> None:
    client.force_login(make_person("ada@example.org", "expert"))
    confirm_identity(client)

    made = client.post(URL, FORM)
    again = client.get(URL).content.decode()

    text = PATTERN.search(made.content.decode())
    assert text is not None
    assert "no-store" in made["Cache-Control"]
    assert "laptop &lt;b&gt;" in again
    assert text.group() not in again
    assert text.group()[:7] in again


def test_old_sign_in_is_asked_for_the_password_first(client: Client) -> None:
    client.force_login(make_person("ada@example.org", "expert"))

    asked = client.post(URL, FORM)
    n_before = AccessToken.objects.count()
    made = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": URL})

    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert n_before == 0
    assert PATTERN.search(made.content.decode())
    assert AccessToken.objects.get().name == "laptop <b>"


def test_bad_form_comes_back_with_its_words(client: Client) -> None:
    client.force_login(make_person("ada@example.org", "expert"))
    confirm_identity(client)

    response = client.post(URL, {"name": "my words", "scopes": ["imports:write"], "days": "9999"})

    assert response.status_code == 422
    assert 'value="my words"' in response.content.decode()
    assert AccessToken.objects.count() == 0


def test_only_ones_own_tokens_are_seen_and_revoked(client: Client) -> None:
    ada, bob = make_person("ada@example.org"), make_person("bob@example.org")
    hers, _ = make_token(ada, name="hers", scopes=["submissions:read"], days=7)
    his, _ = make_token(bob, name="his own", scopes=["submissions:read"], days=7)
    client.force_login(ada)

    found = [client.post(f"{URL}{key}/revoke/").status_code for key in (hers.pk, his.pk, 999)]
    page = client.get(URL).content.decode()

    hers.refresh_from_db()
    his.refresh_from_db()
    assert found == [302, 404, 404]
    assert (hers.is_alive, his.is_alive) == (False, True)
    assert ("revoked on" in page, "his own" in page) == (True, False)


def test_expired_token_is_shown_as_such(client: Client) -> None:
    ada = make_person("ada@example.org")
    token, _ = make_token(ada, name="old", scopes=["submissions:read"], days=7)
    long_ago = timezone.now() - timedelta(days=30)
    AccessToken.objects.filter(pk=token.pk).update(created_at=long_ago, expires_at=long_ago + timedelta(days=7))
    client.force_login(ada)

    assert "expired on" in client.get(URL).content.decode()


def test_role_that_asks_for_a_second_factor_sets_it_up_first(client: Client, settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    client.force_login(make_person("ed@example.org", "editor"))
    confirm_identity(client)

    assert client.post(URL, FORM)["Location"] == "/accounts/2fa/"
    assert AccessToken.objects.count() == 0
