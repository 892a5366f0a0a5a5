"""Who asks the API very often waits for the next minute; nobody gets around it by a header."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
URL = "/api/v1/releases/"


@pytest.fixture(autouse=True)
def _three_a_minute(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.API_REQUESTS_A_MINUTE = 3
    monkeypatch.setattr("time.time", lambda: 1_800_000_010.0)


def _statuses(client: Client, headers: list[dict[str, Any]]) -> list[int]:
    return [client.get(URL, **each).status_code for each in headers]


def test_the_fourth_request_of_an_address_is_told_when_to_go_on(client: Client) -> None:
    found = _statuses(client, [{}] * 3)
    refused = client.get(URL)

    assert found == [200, 200, 200]
    assert (refused.status_code, refused.headers["Content-Type"]) == (429, "application/problem+json")
    assert refused.headers["Retry-After"] == "50"
    assert refused.json() == {
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Request was throttled. Expected available in 50 seconds.",
        "instance": URL,
    }


def test_another_address_is_not_held_back(client: Client) -> None:
    _statuses(client, [{}] * 4)

    assert client.get(URL, REMOTE_ADDR="203.0.113.9").status_code == 200


def test_a_made_up_header_is_no_other_address(client: Client) -> None:
    found = _statuses(client, [{"headers": {"X-Forwarded-For": f"203.0.113.{n}"}} for n in range(4)])

    assert found == [200, 200, 200, 429]


def test_behind_a_proxy_the_address_that_the_proxy_saw_counts(client: Client, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    made_up = [{"headers": {"X-Forwarded-For": f"203.0.113.{n}, 198.51.100.7"}} for n in range(4)]

    found = _statuses(client, made_up)
    other = client.get(URL, headers={"X-Forwarded-For": "203.0.113.1, 198.51.100.8"}).status_code

    assert (found, other) == ([200, 200, 200, 429], 200)


def test_no_limit_where_the_setting_is_nothing(client: Client, settings: Any) -> None:
    settings.API_REQUESTS_A_MINUTE = 0

    assert _statuses(client, [{}] * 5) == [200] * 5


def test_results_stay_readable_while_the_cache_is_away(client: Client, settings: Any) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/valkey.sock",
        }
    }

    assert client.get(URL).status_code == 200
