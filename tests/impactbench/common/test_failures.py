"""What a visitor and a program are told when a view fails."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(settings: Any) -> Client:
    settings.ROOT_URLCONF = "tests.impactbench.common.failing_urls"
    settings.PAGE_CACHE = False
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("how", ["database", "broker"])
def test_server_that_starts_again_is_no_fault_and_soon_back(client: Client, how: str) -> None:
    page = client.get(f"/fails/{how}/")
    answer = client.get(f"/api/v1/fails/{how}/")

    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert "A part of this site is starting again" in page.content.decode()
    assert (answer.headers["Content-Type"], answer.headers["Retry-After"]) == ("application/problem+json", "5")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "A part of the site is starting again; ask again in some seconds.",
        "instance": f"/api/v1/fails/{how}/",
    }


def test_fault_of_ours_says_nothing_of_its_kind(client: Client) -> None:
    page = client.get("/fails/us/")
    answer = client.get("/api/v1/fails/us/")

    assert (page.status_code, answer.status_code) == (500, 500)
    assert "Something went wrong here" in page.content.decode()
    assert (answer.json()["detail"], "Retry-After" in answer.headers) == ("This is our fault.", False)
    assert "KeyError" not in page.content.decode() + answer.content.decode()
