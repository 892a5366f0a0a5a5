"""Explore without a reload: what htmx gets is the page's own parts, and the way back is a whole page."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Release
from tests.support.far_apart import far_apart

pytestmark = pytest.mark.django_db

PLACE = "/explore/psychological/agency-purpose/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield far_apart()
        transaction.set_rollback(True)


def parts(page: str) -> dict[str, str]:
    """The parts that the filters change, by their ids, without what only htmx reads."""
    plain = re.sub(r' hx-swap-oob="\w+"', "", page)
    starts = {
        "explore-head": r'<div id="explore-head">.*?</div></div>',
        "explore-nav": r'<div class="ex-nav" id="explore-nav">.*?</nav>\s*</div>',
        "explore-status": r'<p class="[^"]*" role="status" id="explore-status">.*?</p>',
        "explore-results": r'<div id="explore-results">.*?</section>\s*</div>',
    }
    found = {name: re.search(pattern, plain, re.DOTALL) for name, pattern in starts.items()}
    return {name: match[0] for name, match in found.items() if match}


@pytest.mark.parametrize("query", ["", "?p=avoid&m=luna", "?view=table&profile=teen", "?sort=number"])
def test_part_for_htmx_is_the_same_as_in_the_page(client: Client, release: Release, query: str) -> None:
    page = client.get(PLACE + query).content.decode()
    part = client.get(PLACE + query, headers=HTMX).content.decode()

    assert parts(part) == parts(page)
    assert len(parts(page)) == 4
    assert re.findall(r"<title>.*?</title>", part) == re.findall(r"<title>.*?</title>", page)[:1]
    assert "<html" not in part
    # In a whole page htmx would take these parts out when it goes back.
    assert "hx-swap-oob" not in page


def test_part_and_page_vary_by_who_asks(client: Client, release: Release) -> None:
    for headers in ({}, HTMX):
        assert "HX-Request" in client.get(PLACE, headers=headers)["Vary"]


def test_going_back_gets_a_whole_page(client: Client, release: Release) -> None:
    page = client.get(PLACE, headers={**HTMX, "HX-History-Restore-Request": "true"})

    assert page.content.startswith(b"<!doctype html>")


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("?profile=both&p=both", ""),
        ("?p=avoid&m=vega&m=luna&profile=teen&view=dots&sort=name", "?m=luna,vega&p=avoid&profile=teen"),
        ("?m=luna,nobody&p=zz&view=table&sort=high", "?m=luna&sort=high&view=table"),
    ],
)
def test_browser_shows_the_canonical_address(client: Client, release: Release, asked: str, shown: str) -> None:
    assert client.get(PLACE + asked, headers=HTMX)["HX-Push-Url"] == PLACE + shown


def test_links_of_a_page_keep_models_that_check_boxes_sent(client: Client, release: Release) -> None:
    page = client.get(f"{PLACE}?m=luna&m=terra").content.decode()

    assert f'href="{PLACE.replace("agency-purpose/", "cognition-judgment/")}?m=luna,terra"' in page
    assert 'href="?m=luna,terra&amp;view=grid"' in page


def test_status_says_how_many_models_are_shown(client: Client, release: Release) -> None:
    said = [
        re.findall(r'id="explore-status"[^>]*>([^<]+)<', client.get(PLACE + query).content.decode())
        for query in ("", "?m=luna&p=avoid")
    ]

    assert said == [
        [f"4 models shown: Everyone, both kinds, {release.title}."],
        [f"1 model shown: Everyone, Avoids harm, {release.title}."],
    ]


def test_chips_take_one_filter_away_each(client: Client, release: Release) -> None:
    page = client.get(f"{PLACE}?m=luna,terra&p=avoid&profile=teen").content.decode()

    chips = re.findall(r'<a class="chip" href="([^"]+)">([^<]+) <', page)
    assert chips == [
        ("?m=luna,terra&amp;p=avoid", "Teens 13–17"),
        ("?m=luna,terra&amp;profile=teen", "Avoids harm"),
        ("?m=terra&amp;p=avoid&amp;profile=teen", "Luna"),
        ("?m=luna&amp;p=avoid&amp;profile=teen", "Terra"),
    ]


def test_titles_differ_by_state(client: Client, release: Release) -> None:
    queries = ["", "?p=avoid", "?profile=teen", "?view=grid", "?view=wheel", "?m=luna", "?m=luna,vega", "?p=promote"]
    titles = {re.findall(r"<title>(.*?)</title>", client.get(PLACE + query).content.decode())[0] for query in queries}

    assert len(titles) == len(queries)
