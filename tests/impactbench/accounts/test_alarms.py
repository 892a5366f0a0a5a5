"""Operators hear of somebody who is refused again and again: once an hour, and without a name or an address."""

import logging
from typing import Any

import pytest
from django.test import Client

from impactbench.common.models import OutgoingMail
from tests.impactbench.accounts.people import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three_an_hour(settings: Any) -> None:
    settings.REFUSALS_AN_HOUR = 3


def _lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "impactbench.accounts.alarms"]


def test_a_burst_gives_one_line_and_one_mail_to_each_operator(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    operators = [make_person(f"op{n}@example.org", "operator") for n in range(2)]
    make_person("ed@example.org", "editor")
    person = make_person("ada@example.org", "expert")
    client.force_login(person)

    with caplog.at_level(logging.WARNING):
        for n in range(7):
            assert client.get(f"/submissions/unknown{n}/").status_code == 404

    assert _lines(caplog) == [f"account {person.pk} was refused 3 times within an hour"]
    letters = list(OutgoingMail.objects.order_by("recipient"))
    assert [letter.recipient for letter in letters] == operators
    assert "ada@" not in letters[0].text
    assert f"account {person.pk} was refused 3 times" in letters[0].text


def test_a_visitor_is_not_named_by_the_address(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            client.get("/submissions/", headers={"HX-Request": "true"}, REMOTE_ADDR="203.0.113.9")

    (line,) = _lines(caplog)
    assert line.startswith("visitor ")
    assert "203.0.113.9" not in line


def test_few_refusals_public_pages_and_unknown_addresses_are_no_burst(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    make_person("op@example.org", "operator")
    with caplog.at_level(logging.WARNING):
        for n in range(5):
            client.get(f"/metrics/unknown{n}/")
            client.get(f"/wp-admin{n}.php")
        for _ in range(2):
            client.get("/submissions/", headers={"HX-Request": "true"})

    assert (_lines(caplog), OutgoingMail.objects.count()) == ([], 0)


def test_a_refusal_stays_one_while_the_cache_is_away(client: Client, settings: Any) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/valkey.sock",
        }
    }

    assert client.get("/submissions/", headers={"HX-Request": "true"}).status_code == 401
