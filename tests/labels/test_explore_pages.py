"""Explore: every level and view answers, keeps the kinds apart, and says what is missing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import Release, Result
from tests.labels.missing import missing_page
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db

SUBAREA = "/explore/psychological/agency-purpose/"
BUDGET = 15


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_release()
        transaction.set_rollback(True)


def text_of(client: Client, address: str, status: int = 200) -> str:
    """The words of a page, spaces joined."""
    response = client.get(address)
    assert response.status_code == status
    return " ".join(strip_tags(response.content.decode()).split())


@pytest.mark.parametrize("path", ["/explore/", "/explore/psychological/", SUBAREA])
@pytest.mark.parametrize("view", ["dots", "grid", "wheel", "table"])
def test_explore_every_level_and_view_answers_within_budget(client: Client, release: Release, path: str, view: str):
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path, {"view": view})

    assert response.status_code == 200
    assert len(queries) <= BUDGET
    # Frozen results only: ten times the conversations change nothing here.
    asked = [query["sql"] for query in queries]
    assert [sql for sql in asked if "evaluation_conversation" in sql or "evaluation_verdict" in sql] == []
    assert response.content.count(b"<h1") == 1


def test_explore_unknown_place_names_near_ones(client: Client, release: Release):
    page = missing_page("/explore/psychological/agency-purpse/")

    assert f'href="{SUBAREA}"' in page


def test_explore_kinds_stand_in_blocks_of_their_own(client: Client, release: Release):
    page = client.get(SUBAREA).content.decode()
    promote, avoid = re.findall(r'<section class="kind-block".*?</section>', page, re.DOTALL)

    assert 'class="di promote"' in promote
    assert "di avoid" not in promote
    assert 'class="di avoid"' in avoid
    assert "di promote" not in avoid


def test_explore_kind_filter_leaves_one_block(client: Client, release: Release):
    page = client.get(SUBAREA, {"p": "avoid"}).content.decode()

    assert 'id="b-avoid"' in page
    assert 'id="b-promote"' not in page


def test_explore_numbers_are_the_releases_own(client: Client, release: Release):
    page = text_of(client, SUBAREA + "?view=table&m=luna")
    result = Result.objects.get(
        release=release, group="subarea", key="agency-purpose", model__slug="luna", polarity="positive", profile="all"
    )
    assert result.pass_rate is not None

    assert f"did the helpful thing in about {int(result.pass_rate * 100 + 0.5)} of 100 chats" in page
    assert f"n {result.n_judged}" in page


def test_explore_untested_model_is_a_dash_and_no_zero(client: Client, release: Release):
    page = client.get("/explore/psychological/learning-skill-development/", {"m": "sol"}).content.decode()

    assert "not tested" in page or "no data" in page
    assert "<b>0</b>" not in page


def test_explore_profile_filter_shows_that_profile_only(client: Client, release: Release):
    page = text_of(client, SUBAREA + "?profile=teen")
    pooled = Result.objects.get(
        release=release, group="subarea", key="agency-purpose", model=None, polarity="positive", profile="teen"
    )

    assert f"n {pooled.n_judged}" in page
    assert "only" in page


def test_explore_unknown_values_are_ignored_with_a_notice(client: Client, release: Release):
    page = client.get("/explore/?profile=<script>&m=nobody&p=zz&view=cube&page=-1").content.decode()

    assert "was ignored" in page
    assert "<script>&" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    "query", ["sort=1", "inside=%00x", "page=99999", "page=x", "view=%3Cscript%3E", "m=,,,", "sort=low&m=a"]
)
@pytest.mark.parametrize("suffix", ["/", ".csv", ".json", ".svg", ".figure.json"])
def test_explore_strange_values_are_no_fault(client: Client, release: Release, query: str, suffix: str):
    assert client.get(f"{SUBAREA.rstrip('/')}{suffix}?{query}").status_code == 200


def test_explore_table_says_the_range_of_ranks_or_why_there_is_none(client: Client, release: Release):
    page = client.get(SUBAREA, {"view": "table", "p": "promote"}).content.decode()
    rows = re.findall(r'<tr[^>]*><th scope="row"><a href="[^"]+">(\w+)</a>.*?<td class="r">([^<]*)</td></tr>', page)

    assert [name for name, _ in rows] == ["Luna", "Sol", "Terra"]
    assert all(re.fullmatch(r"\d(–\d)?|[a-z ]+", place) for _, place in rows)


@pytest.mark.parametrize(("sort", "column"), [("number", 0), ("low", 1), ("high", 2), ("chats", 4)])
def test_explore_table_is_sorted_by_its_heads(client: Client, release: Release, sort: str, column: int):
    page = client.get("/explore/", {"view": "table", "p": "promote", "sort": sort, "m": "luna,terra"}).content.decode()
    cells = [re.findall(r'<td class="r">([\d,]+)</td>', row) for row in re.findall(r"<tr data-rate.*?</tr>", page)]
    numbers = [int(row[column].replace(",", "")) for row in cells]

    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 2
    assert len(re.findall(r'aria-sort="descending"', page)) == 1


def test_explore_offers_no_order_and_no_winner(client: Client, release: Release):
    page = text_of(client, "/explore/").casefold()
    names = [page.index(f"{name} ") for name in ("luna", "sol", "terra")]

    assert names == sorted(names)
    said = [word for word in ("best", "winner", "leader", "ranked", "polarity", "bootstrap") if f" {word} " in page]
    assert said == []
