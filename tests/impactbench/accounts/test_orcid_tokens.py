"""Identity tokens that a provider did not sign for this very sign-in open nothing."""

from collections.abc import Callable
from typing import Any

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from impactbench.accounts.models import User
from tests.impactbench.accounts.test_orcid import LOGIN, come_back, orcid, server  # noqa: F401  (fixtures)
from tests.support.oidc_server import KEY_ID, OidcServer, Person

pytestmark = pytest.mark.django_db
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
Sign = Callable[[dict[str, Any]], str | None]


def refused(answer: Any) -> bool:
    return answer.status_code == 401 and "Signing in with ORCID did not work" in answer.content.decode()


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"iss": "https://orcid.example"},
        {"iss": None},
        {"aud": "APP-OTHER"},
        {"exp": 1_000_000_000},
        {"sub": "0000-0001-0000-0001"},
    ],
    ids=str,
)
def test_token_with_another_claim_is_refused(client: Client, orcid: OidcServer, claims: Any) -> None:  # noqa: F811
    orcid.claims = claims

    assert refused(come_back(client))
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "sign",
    [
        lambda claims: jwt.encode(claims, OTHER_KEY, algorithm="RS256", headers={"kid": KEY_ID}),
        lambda claims: jwt.encode(claims, OTHER_KEY, algorithm="RS256", headers={"kid": "key-2"}),
        lambda claims: jwt.encode(claims, OTHER_KEY, algorithm="RS256"),
        lambda claims: jwt.encode(claims, "secret" * 10, algorithm="HS256", headers={"kid": KEY_ID}),
        lambda claims: jwt.encode(claims, "", algorithm="none", headers={"kid": KEY_ID}),
        lambda _: "no token at all",
        lambda _: None,
    ],
    ids=["another key", "an unknown key", "no name of a key", "a shared secret", "no signature", "no token", "nothing"],
)
def test_token_that_the_provider_did_not_sign_is_refused(
    client: Client, orcid: OidcServer, sign: Sign  # noqa: F811
) -> None:  # fmt: skip
    orcid.sign = sign

    assert refused(come_back(client))
    assert "_auth_user_id" not in client.session


def test_token_of_an_earlier_sign_in_is_refused(client: Client, orcid: OidcServer) -> None:  # noqa: F811
    given: list[str] = []

    def keep(claims: dict[str, Any]) -> str:
        given.append(orcid.signed(claims))
        return given[0]

    orcid.sign = keep

    first, second = come_back(Client()), come_back(client)

    assert (first["Location"], refused(second), len(given)) == ("/accounts/3rdparty/signup/", True, 2)


def test_another_person_in_the_profile_than_in_the_token_is_refused(
    client: Client, orcid: OidcServer  # noqa: F811
) -> None:  # fmt: skip
    orcid.person = Person("0000-0002-1825-0097", {"sub": "0000-0001-0000-0001"})

    assert refused(come_back(client))


def test_description_of_another_issuer_is_refused_before_anybody_leaves(
    client: Client, orcid: OidcServer  # noqa: F811
) -> None:  # fmt: skip
    leaving = client.post(LOGIN)
    agreed = requests.get(leaving["Location"], allow_redirects=False, timeout=5)
    orcid.issuer = "https://orcid.example"

    assert refused(client.post(LOGIN))
    assert refused(client.get(agreed.headers["Location"]))
    assert User.objects.count() == 0


def test_provider_that_is_away_is_told_in_words(client: Client, orcid: OidcServer, settings: Any) -> None:  # noqa: F811
    [app] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    app["settings"]["server_url"] = "http://127.0.0.1:9"

    assert refused(client.post(LOGIN))
