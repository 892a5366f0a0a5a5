"""Metrics that are published and not measured yet, new versions, and retired ones."""

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import MetricVersion, Release
from tests.support.builders import make_metric, make_release, make_scenarios

pytestmark = pytest.mark.django_db

PATH = "/metrics/autonomy/waiting/"


def _waiting(**fields) -> MetricVersion:
    version = make_metric("waiting", name="Waits for a release", is_published=True, **fields)
    make_scenarios(version)
    return version


def _next(version: MetricVersion, **fields) -> MetricVersion:
    kept = {name: getattr(version, name) for name in ("metric", "name", "polarity", "definition", "is_runnable")}
    new = MetricVersion.objects.create(**{**kept, "number": version.number + 1, "content_hash": "x", **fields})
    make_scenarios(new)
    return new


def _slugs(client: Client, query: str) -> list[str]:
    return [one["slug"] for one in client.get(f"/api/v1/metrics/{query}").json()["results"]]


@pytest.mark.parametrize("has_release", [False, True])
def test_a_published_metric_has_its_page_and_stands_in_lists_without_results(client: Client, has_release) -> None:
    if has_release:
        make_release("2026-a")
    _waiting(contributor="Ada (House)", licence="CC0-1.0")

    page = client.get(PATH).content.decode()

    assert "No results yet" in page
    assert "Ada (House)" in page
    assert "CC0-1.0" in page
    assert "Your choices" in page
    for address in ("/metrics/?q=waits", "/search/?q=waits", "/benchmarks/autonomy/"):
        assert PATH in client.get(address).content.decode(), address
    assert "autonomy/waiting" in _slugs(client, "?benchmark=autonomy")
    [row] = [one for one in client.get("/api/v1/metrics/").json()["results"] if one["slug"] == "autonomy/waiting"]
    assert (row["status"], row["version"], row["subareas"]) == ("draft", 1, ["agency-purpose"])
    assert client.get("/api/v1/metrics/autonomy/waiting/").json() == row


def test_a_release_shows_only_what_it_measured(client: Client) -> None:
    release = make_release("2026-a")
    _waiting()

    assert "autonomy/waiting" not in _slugs(client, f"?release={release.slug}")
    assert client.get(f"/api/v1/metrics/autonomy/waiting/?release={release.slug}").status_code == 404
    assert "autonomy/waiting" in _slugs(client, "?subarea=agency-purpose")


def test_what_is_not_published_is_nowhere(client: Client) -> None:
    make_release("2026-a")
    hidden = _waiting()
    hidden.is_published = False
    hidden.save()

    assert client.get(PATH).status_code == 404
    assert "autonomy/waiting" not in _slugs(client, "")
    assert PATH not in client.get("/metrics/?q=waits").content.decode()


def test_pages_of_the_list_reach_what_no_release_has(client: Client) -> None:
    make_release("2026-a")
    _waiting()

    page, found = client.get("/api/v1/metrics/?page_size=1").json(), []
    while True:
        found += [one["slug"] for one in page["results"]]
        if not page["next"]:
            break
        page = client.get(page["next"]).json()

    assert found == _slugs(client, "?page_size=1000")


def test_the_old_version_stays_until_the_new_one_is_published(client: Client) -> None:
    old = _waiting()
    new = _next(old, definition="Said <b>better</b>.", name="Waits longer")

    assert "Waits longer" not in client.get(PATH).content.decode()
    new.is_published, new.published_at = True, timezone.now()
    new.save()
    page = client.get(PATH).content.decode()

    assert "<h1>Waits longer</h1>" in page
    assert "2 parts changed in version 2" in page
    assert "Said &lt;b&gt;better&lt;/b&gt;." in page
    assert "<h1>Waits for a release</h1>" in client.get(f"{PATH}?version=1").content.decode()


def test_a_release_keeps_the_version_it_measured(client: Client) -> None:
    release = make_release("2026-a")
    old = release.metric_versions.first()
    assert old is not None
    path = f"/metrics/{old.metric.slug}/"
    pinned = f"{path}?release={release.slug}"
    before = client.get(pinned).content.decode()
    _next(old, is_published=True, published_at=timezone.now(), name="A later wording")

    assert client.get(pinned).content.decode() == before
    page = client.get(path).content.decode()
    assert "Version 2 was published" in page
    assert f'href="{path}?version=2"' in page
    later = client.get(f"{path}?version=2").content.decode()
    assert "<h1>A later wording</h1>" in later
    assert "No results yet in this release." in later


def test_versions_that_were_never_shown_have_no_page(client: Client) -> None:
    old = _waiting()
    _next(old, name="Secret")

    answer = client.get(f"{PATH}?version=2")

    assert answer.status_code == 404
    assert "Secret" not in answer.content.decode()
    assert client.get(f"{PATH}?version=x").status_code == 200


def test_a_retired_metric_says_so_and_keeps_its_page(client: Client) -> None:
    _waiting(status="retired", retired_at=timezone.now(), retirement_reason="<i>Wrong</i> https://evil.example/")

    page = client.get(PATH).content.decode()

    assert "Retired on" in page
    assert "&lt;i&gt;Wrong&lt;/i&gt; https://evil.example/" in page
    assert 'href="https://evil' not in page


def test_words_of_a_metric_make_no_link_and_no_markup(client: Client) -> None:
    hostile = "[click](https://evil.example/) <script>alert(1)</script> \u202e <https://evil.example/>"
    _waiting(definition=hostile, judge_question=hostile, rationale=hostile, citations=[hostile], contributor=hostile,
             examples_present=[hostile], content_notices=[hostile], licence=hostile[:250])  # fmt: skip

    page = client.get(PATH).content.decode()

    assert 'href="https://evil' not in page
    assert "<script>alert" not in page
    assert "\u202e" not in page


def test_a_release_dates_what_it_publishes(client: Client) -> None:
    make_release("2026-a")

    release = Release.objects.get()
    assert set(release.metric_versions.values_list("published_at", flat=True)) == {release.published_at}
