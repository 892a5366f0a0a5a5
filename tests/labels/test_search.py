"""Search: everything public by its words, nothing that is not public, and no harm from whatever is typed."""

import re
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import MetricVersion, Release
from impactbench.common import searchable
from impactbench.common.searchable import Hit
from tests.support.builders import make_metric, make_release

pytestmark = pytest.mark.django_db

BUDGET = 14


@pytest.fixture
def release() -> Release:
    return make_release()


def groups(client: Client, text: str, rest: str = "") -> dict[str, list[str]]:
    """The headings of a search, each with the titles below it."""
    response = client.get(f"/search/?q={quote(text)}{rest}")
    assert response.status_code == 200
    parts = re.findall(r"<section.*?</section>", response.content.decode(), re.DOTALL)
    heading = re.compile(r"<h2[^>]*>([^<]+)</h2>")
    return {heading.findall(part)[0]: re.findall(r"<li><a [^>]+><bdi>([^<]+)</bdi>", part) for part in parts}


def words(client: Client, text: str) -> str:
    return " ".join(strip_tags(client.get(f"/search/?q={quote(text)}").content.decode()).split())


def rename(slug: str, **fields: str) -> None:
    """Give a metric of the release other words, past the trigger that keeps them."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        MetricVersion.objects.filter(metric__slug=slug).update(**fields)
        cursor.execute("SET session_replication_role = DEFAULT")


def test_search_finds_every_kind(client: Client, release: Release) -> None:
    assert groups(client, "luna") == {"Models: 1": ["Luna"]}
    assert groups(client, "psychological")["Areas: 1"] == ["Psychological"]
    assert groups(client, "autonomy")["Benchmarks: 1"] == ["Autonomy"]
    assert groups(client, "scenario 1")["Scenarios: 12"] == ["Scenario 1"] * 5
    assert "Range" in next(titles for name, titles in groups(client, "range").items() if name.startswith("Words"))


def test_search_finds_rows_of_labels_for_every_model(client: Client, release: Release) -> None:
    page = client.get("/search/?q=agency+luna").content.decode()

    assert groups(client, "agency luna") == {"Rows of labels: 1": ["Your choices"]}
    assert '<a href="/labels/luna/agency-purpose/"><bdi>Your choices</bdi></a>' in page
    assert "Row of the label of Luna" in page
    assert groups(client, "choices", "&only=rows") == {"Rows of labels: 3": ["Your choices"] * 3}
    assert groups(client, "chioces", "&only=rows") == {"Rows of labels: 3": ["Your choices"] * 3}
    assert all(
        client.get(f"/labels/{model.slug}/agency-purpose/").status_code == 200 for model in release.targets.all()
    )


def test_search_finds_other_forms_of_a_word_and_its_beginning(client: Client, release: Release) -> None:
    rename("autonomy/m01", name="Teaches how to learn")

    assert groups(client, "learned teaching")["Metrics: 1"] == ["Teaches how to learn"]
    assert groups(client, "teac")["Metrics: 1"] == ["Teaches how to learn"]


def test_search_puts_names_before_meanings(client: Client, release: Release) -> None:
    rename("autonomy/m01", definition="It speaks of gardens once.")
    rename("autonomy/m05", name="Gardens and their keepers")

    assert groups(client, "gardens")["Metrics: 2"] == [
        "Gardens and their keepers", "Names the person as the one who decides (m01)",
    ]  # fmt: skip


def test_search_misspelled_name_is_found_and_said_to_be_near(client: Client, release: Release) -> None:
    rename("autonomy/m01", name="Encourages independence")

    assert groups(client, "indepedence")["Metrics: 1"] == ["Encourages independence"]
    assert groups(client, "Autonomi")["Benchmarks: 1"] == ["Autonomy"]
    assert "Nothing has exactly these words. These are spelled alike:" in words(client, "indepedence")


def test_search_shows_the_first_and_leads_to_all(client: Client, release: Release) -> None:
    page = client.get("/search/?q=decides").content.decode()

    assert len(groups(client, "decides")["Metrics: 12"]) == 5
    assert 'href="/metrics/?q=decides"' in page
    assert len(groups(client, "scenario", "&only=scenarios")["Scenarios: 24"]) == 24


def test_search_never_finds_what_is_not_public(client: Client, release: Release) -> None:
    make_metric("m99", name="Secret garden")
    make_metric("m98", name="Open garden", is_published=True)

    assert groups(client, "garden") == {"Metrics: 1": ["Open garden"]}


def test_search_does_not_look_into_conversations(client: Client, release: Release) -> None:
    assert groups(client, "here are things to weigh") == {}


@pytest.mark.parametrize(
    "text", ["", "a", "%", "_", "'", "\\", "&|!():*<->", "the", "\x00", "<script>x</script>", "' OR 1=1 --", "\u202e",
             "word " * 300, "x" * 5000, "日本語", "🙂", "a'b:*"],
)  # fmt: skip
def test_search_of_anything_answers(client: Client, release: Release, text: str) -> None:
    response = client.get("/search/", {"q": text})

    assert response.status_code == 200
    assert "<script>x" not in response.content.decode()


def test_search_without_words_says_what_to_type(client: Client) -> None:
    assert "Type a word" in words(client, "")
    assert "Type a word" in words(client, "?!")


def test_search_unknown_kind_is_ignored_with_a_notice(client: Client, release: Release) -> None:
    assert "is not known here as only, so it was ignored." in " ".join(
        strip_tags(client.get("/search/?q=luna&only=zz").content.decode()).split()
    )


def test_search_asks_registered_sources(client: Client, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searchable, "_SOURCES", {})
    searchable.register("cases", "Case studies", lambda given, n: (7, [Hit(" ".join(given), "/cases/a/")][:n]))

    assert groups(client, "Odd thing")["Case studies: 7"] == ["odd thing"]
    assert 'href="/search/?only=cases&amp;q=odd"' in client.get("/search/?q=odd").content.decode()


def test_search_within_budget_whatever_is_found(client: Client, release: Release) -> None:
    with CaptureQueriesContext(connection) as many:
        client.get("/search/?q=decides")
    with CaptureQueriesContext(connection) as none:
        client.get("/search/?q=zzzz")

    assert len(many) <= len(none) <= BUDGET
