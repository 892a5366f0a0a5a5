"""Benchmarks, models, releases, methodology, glossary, about and search."""

import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import Release
from labels.glossary import TERMS
from tests.labels.missing import missing_page
from tests.support.builders import make_release

PAGES = (
    "/explore/", "/explore/psychological/agency-purpose/", "/metrics/", "/metrics/autonomy/m01/",
    "/metrics/autonomy/m01/scenarios/1/", "/benchmarks/", "/benchmarks/autonomy/", "/models/luna/", "/releases/",
    "/releases/2026-a/", "/glossary/", "/about/", "/search/?q=luna",
)  # fmt: skip
HARD_WORDS = ("polarity", "construct", "bootstrap", "elicit", "epistemic", "sycophancy", "best model", "safe model")

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return make_release()


def words(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(strip_tags(response.content.decode()).split())


@pytest.mark.parametrize("address", PAGES)
def test_page_has_one_heading_a_title_and_no_hard_word(client: Client, release: Release, address: str):
    page = client.get(address).content.decode()

    assert page.count("<h1") == 1
    assert re.findall(r"<title>(.*?)</title>", page, re.DOTALL)[0] != " · ImpactBench"
    # A release quotes its exact method, in the words of statistics: for readers behind a click, and for machines.
    exact = r'<details class="method">.*?</details>|<script type="application/ld.json">.*?</script>'
    text = strip_tags(re.sub(exact, "", page, flags=re.DOTALL)).casefold()
    assert [word for word in HARD_WORDS if word in text] == []
    assert len(re.findall(r'\sid="([^"]+)"', page)) == len(set(re.findall(r'\sid="([^"]+)"', page)))
    assert " style=" not in page


@pytest.mark.parametrize("address", [*PAGES, "/methodology/"])
def test_page_before_anything_is_published_never_fails(client: Client, address: str):
    assert client.get(address).status_code in (200, 404)


# A metric counts its chats apart from those it shows; a model's first visit compares its releases, which is then kept;
# a release without label rows of its own shows subareas in their place, which a search looks up as well.
QUERIES = {"/metrics/autonomy/m01/": 13, "/models/luna/": 16, "/search/?q=luna": 14}


@pytest.mark.parametrize("address", PAGES)
def test_page_within_query_budget(client: Client, release: Release, address: str):
    with CaptureQueriesContext(connection) as queries:
        client.get(address)

    assert len(queries) <= QUERIES.get(address, 12)


def test_pages_have_titles_of_their_own(client: Client, release: Release):
    titles = [re.findall(r"<title>(.*?)</title>", client.get(one).content.decode(), re.DOTALL)[0] for one in PAGES]

    assert len(set(titles)) == len(PAGES)


def test_benchmark_shows_source_licence_and_metrics(client: Client, release: Release):
    page = client.get("/benchmarks/autonomy/").content.decode()

    assert 'href="https://example.org/paper"' in page
    assert "CC-BY-4.0" in page
    assert "What\u2019s inside: 6 metrics" in page


def test_benchmarks_count_each_metric_once(client: Client, release: Release):
    assert "Autonomy 6 3 3 CC-BY-4.0" in re.sub(r"\s+", " ", strip_tags(
        client.get("/benchmarks/").content.decode().replace("</t", " </t")
    ))  # fmt: skip


def test_model_page_names_what_is_not_published(client: Client, release: Release):
    page = words(client, "/models/luna/")

    assert "Example Labs" in page
    assert "Not published" in page
    assert "did the helpful thing" in page


def test_model_that_was_never_tested_has_no_page(release: Release):
    assert 'href="/models/luna/"' in missing_page("/models/lunar/")
    missing_page("/models/judge-model/")


def test_release_page_says_how_to_check_it(client: Client, release: Release):
    page = words(client, "/releases/2026-a/")

    assert "verify_release 2026-a" in page
    assert release.content_hash in page
    assert f"seed {release.seed}" in page
    assert "Judge Model" in page


def test_release_page_of_a_retracted_release_stays_with_its_reason(client: Client, release: Release):
    Release.objects.filter(pk=release.pk).update(status="retracted", retraction_reason="Wrong <judge>.")

    assert "Wrong &lt;judge&gt;." in client.get("/releases/2026-a/").content.decode()
    assert "Wrong &lt;judge&gt;." in client.get("/releases/").content.decode()


def test_release_unknown_names_those_there_are(release: Release):
    assert 'href="/releases/2026-a/"' in missing_page("/releases/2027/")


def test_methodology_traces_a_real_number(client: Client, release: Release):
    page = words(client, "/methodology/")

    assert "Take the" in page
    assert "One conversation" in page
    assert "ImpactBench paper, section 3.6" in page


def test_glossary_terms_have_places_of_their_own(client: Client):
    slugs = re.findall(r'<dt id="([^"]+)">', client.get("/glossary/").content.decode())

    assert sorted(slugs) == sorted(term.slug for term in TERMS)
    assert len(slugs) == len(set(slugs))


def test_search_finds_models_benchmarks_metrics_and_words(client: Client, release: Release):
    assert 'href="/models/luna/"' in client.get("/search/?q=lun").content.decode()
    assert 'href="/benchmarks/learning/"' in client.get("/search/?q=learning").content.decode()
    assert 'href="/metrics/autonomy/m01/"' in client.get("/search/?q=decides+m01").content.decode()
    assert 'href="/glossary/#verdict"' in client.get("/search/?q=verdict").content.decode()


@pytest.mark.parametrize("query", ["", "q=", "q=%00", "q=" + "a" * 5000, "q=%25_%5C", "q=<script>x</script>"])
def test_search_of_anything_never_fails(client: Client, release: Release, query: str):
    response = client.get(f"/search/?{query}")

    assert response.status_code == 200
    assert "<script>x" not in response.content.decode()


def test_error_page_needs_nothing():
    assert "Something went wrong here" in render_to_string("500.html")
