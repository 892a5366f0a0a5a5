"""Explore: every level and view answers, keeps the kinds apart, and says what is missing."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import MetricVersion, Release, Result, Run, Scenario
from tests.labels.missing import missing_page
from tests.support.builders import (
    make_conversation,
    make_finished_run,
    make_judgment,
    make_model,
    make_release,
    make_run,
)

pytestmark = pytest.mark.django_db

SUBAREA = "/explore/psychological/agency-purpose/"
BUDGET = 15


@pytest.fixture
def release() -> Release:
    return make_release()


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
    assert response.content.count(b"<h1") == 1


def test_explore_before_anything_is_published_says_so(client: Client):
    assert "Nothing has been published yet." in text_of(client, "/explore/")
    assert client.get("/explore/psychological/").status_code == 404


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


def test_explore_offers_no_order_and_no_winner(client: Client, release: Release):
    page = text_of(client, "/explore/").casefold()
    names = [page.index(f"{name} ") for name in ("luna", "sol", "terra")]

    assert names == sorted(names)
    said = [word for word in ("best", "winner", "leader", "ranked", "polarity", "bootstrap") if f" {word} " in page]
    assert said == []


def test_explore_query_count_does_not_grow_with_models(client: Client):
    make_release("one", run=make_finished_run("one", models=["luna"]))

    with CaptureQueriesContext(connection) as with_one:
        client.get(SUBAREA + "?release=one")
    run = make_finished_run_of_three()
    make_release("three", run=run)
    with CaptureQueriesContext(connection) as with_three:
        client.get(SUBAREA + "?release=three")

    assert len(with_three) == len(with_one)


def make_finished_run_of_three() -> Run:
    """The same metrics again with three models."""
    versions = list(MetricVersion.objects.all())
    targets = [make_model(slug) for slug in ("nova", "orion", "pulsar")]
    run = make_run("three", versions=versions, targets=targets)
    for scenario in Scenario.objects.all():
        for target in targets:
            make_judgment(make_conversation(run, scenario, target), present=True)
    return run
