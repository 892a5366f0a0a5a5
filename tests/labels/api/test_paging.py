"""Cursor pages lose nothing, double nothing and go back the way they came."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from evaluation.models import Result
from tests.labels.api.conftest import Get
from tests.labels.api.test_problems import LISTS
from tests.support.builders import make_finished_run, make_release

pytestmark = pytest.mark.django_db


def all_pages(get: Get, path: str, query: dict[str, Any]) -> list[Any]:
    pages = [get(path, query).json()]
    while pages[-1]["next"]:
        pages.append(get(pages[-1]["next"].split("/api/v1/")[1]).json())
    return pages


def items(pages: list[Any]) -> list[Any]:
    return [item for page in pages for item in page["results"]]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("path", LISTS)
def test_small_pages_hold_what_one_large_page_holds(get: Get, path: str) -> None:
    whole = get(f"{path}/", {"page_size": 1000}).json()

    assert whole["next"] is None
    assert items(all_pages(get, f"{path}/", {"page_size": 1})) == whole["results"]
    assert items(all_pages(get, f"{path}/", {"page_size": 3})) == whole["results"]


def test_pages_hold_every_result_once(get: Get) -> None:
    release = make_release()

    pages = all_pages(get, "results/", {"page_size": 37})

    keys = [(item["group"], item["key"], item["model"], item["polarity"], item["profile"]) for item in items(pages)]
    assert len(set(keys)) == len(keys) == Result.objects.filter(release=release).count()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("query", ["results/?key=nobody", "metrics/?benchmark=nobody"])
def test_value_that_nothing_has_is_told_on_every_page(get: Get, query: str) -> None:
    path, _, _ = query.partition("?")
    cursor = parse_qs(urlsplit(get(path, {"page_size": 1}).json()["next"]).query)["cursor"][0]

    assert get(query).status_code == get(f"{query}&cursor={cursor}").status_code == 400


def test_previous_leads_back_through_the_same_pages(get: Get) -> None:
    make_release()
    forward = all_pages(get, "metrics/", {"page_size": 5})

    back = [forward[-1]]
    while back[-1]["previous"]:
        back.append(get(back[-1]["previous"].split("/api/v1/")[1]).json())

    assert [page["results"] for page in reversed(back)] == [page["results"] for page in forward]


def test_links_stay_in_their_release_when_another_is_published(get: Get) -> None:
    run = make_finished_run()
    make_release("2026-a", run=run)
    first = get("results/", {"page_size": 5}).json()

    make_release("2026-b", run=run)
    second = get(first["next"].split("/api/v1/")[1]).json()

    assert second == get("results/", {"page_size": 5, "release": "2026-a", "cursor": _cursor(first)}).json()
    assert "release=2026-a" in first["next"]


def test_links_lead_to_the_public_address_where_one_is_set(get: Get, settings: Any) -> None:
    settings.PUBLIC_URL = "https://impactbench.example/"
    make_release()

    address = get("results/", {"page_size": 5}).json()["next"]

    assert address.startswith("https://impactbench.example/api/v1/results/?")


def _cursor(page: Any) -> str:
    return parse_qs(urlsplit(page["next"]).query)["cursor"][0]
