"""Secrets of second factors lie in the database sealed, and a new SECRET_KEY does not lock anybody out."""

import importlib
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from impactbench.accounts.sealing import seal, unseal
from tests.impactbench.accounts.people import add_authenticator_app, code_of_app, make_person, sign_in

migration = importlib.import_module("impactbench.accounts.migrations.0004_seal_second_factors")


def test_sealed_text_comes_back_and_does_not_show() -> None:
    sealed = seal("JBSWY3DPEHPK3PXP")

    assert unseal(sealed) == "JBSWY3DPEHPK3PXP"
    assert "JBSWY3DPEHPK3PXP" not in sealed
    assert seal("JBSWY3DPEHPK3PXP") != sealed


def test_old_key_still_opens_and_a_lost_one_says_what_to_do(settings: Any) -> None:
    sealed = seal("JBSWY3DPEHPK3PXP")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "a new one"
    settings.SECRET_KEY_FALLBACKS = [old]
    opened = unseal(sealed)
    settings.SECRET_KEY_FALLBACKS = []

    assert opened == "JBSWY3DPEHPK3PXP"
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FALLBACKS"):
        unseal(sealed)


@pytest.mark.django_db
def test_secret_of_an_app_is_sealed_in_the_database_and_its_code_signs_in(client: Client) -> None:
    user = make_person()
    secret = add_authenticator_app(user)

    stored = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP).data["secret"]
    asks_for_code = sign_in(client)
    done = client.post("/accounts/2fa/authenticate/", {"code": code_of_app(secret)})

    assert secret not in stored
    assert unseal(stored) == secret
    assert (asks_for_code, done.status_code) == ("/accounts/2fa/authenticate/", 302)
    assert client.session["_auth_user_id"] == str(user.pk)


@pytest.mark.django_db
def test_migration_seals_what_was_kept_as_it_is_and_leaves_what_is_sealed() -> None:
    user, other = make_person(), make_person("bob@example.org")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "PLAIN"})
    Authenticator.objects.create(user=user, type="recovery_codes", data={"seed": "SEED", "used_mask": 0})
    sealed = seal("SEALED")
    Authenticator.objects.create(user=other, type="totp", data={"secret": sealed})

    migration.seal_all(apps, None)
    data = {(one.user, one.type): one.data for one in Authenticator.objects.all()}

    assert unseal(data[user, "totp"]["secret"]) == "PLAIN"
    assert unseal(data[user, "recovery_codes"]["seed"]) == "SEED"
    assert data[other, "totp"]["secret"] == sealed
