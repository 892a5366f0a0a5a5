"""Signing up: an address is confirmed by a code, and nobody learns who has an account."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from impactbench.accounts.models import User
from impactbench.common.models import AuditEvent
from tests.impactbench.accounts.people import PASSWORD, code_of_last_mail, make_person

pytestmark = pytest.mark.django_db


def sign_up(client: Client, email: str, password: str = PASSWORD, **extra: str) -> Any:
    data = {"email": email, "password1": password, "password2": password, **extra}
    return client.post("/accounts/signup/", data)


def test_whoever_confirms_the_address_is_an_expert(client: Client) -> None:
    sign_up(client, "Ada@example.org")
    before = User.objects.get().roles
    done = client.post("/accounts/confirm-email/", {"code": code_of_last_mail()})

    user = User.objects.get()
    assert (done.status_code, done["Location"]) == (302, "/accounts/profile/")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (before, user.roles) == (frozenset(), frozenset({"expert"}))
    assert EmailAddress.objects.get().verified
    assert set(AuditEvent.objects.values_list("action", flat=True)) == {"account-created", "role-granted"}


def test_page_that_was_asked_for_comes_after_the_code(client: Client) -> None:
    sign_up(client, "ada@example.org", next="/accounts/data/")

    done = client.post("/accounts/confirm-email/", {"code": code_of_last_mail()})

    assert done["Location"] == "/accounts/data/"


def test_without_the_code_nothing_opens(client: Client) -> None:
    sign_up(client, "ada@example.org")

    wrong = client.post("/accounts/confirm-email/", {"code": "AAAA-AAAA"})

    assert wrong.status_code == 200
    assert client.get("/accounts/profile/").status_code == 302
    assert not EmailAddress.objects.get().verified


def test_same_answer_whether_or_not_there_is_an_account(client: Client) -> None:
    make_person("ada@example.org")

    known = sign_up(client, "ADA@example.org")
    unknown = sign_up(Client(), "bob@example.org")

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [letter.subject for letter in mail.outbox] == [
        "You have an account at ImpactBench",
        "Your code for ImpactBench",
    ]
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("short pass1", "at least 12 characters"),
        ("q1w2e3r4t5y6", "too common"),
        ("ada.lovelace@example.org", "too similar"),
        ("ImpactBench-editor1", "other words than those of this site"),
        ("labelled metric teapots", ""),
        ("all lower case and long", ""),
    ],
)
def test_rules_for_passwords(client: Client, password: str, problem: str) -> None:
    response = sign_up(client, "ada.lovelace@example.org", password)

    assert User.objects.count() == (0 if problem else 1)
    assert not problem or problem in response.content.decode()


def test_many_sign_ups_from_one_address_are_slowed_down(client: Client) -> None:
    answers = [sign_up(client, "not an address").status_code for _ in range(21)]

    assert answers == [200] * 20 + [429]
