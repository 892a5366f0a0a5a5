"""What search engines and feed readers are told: published pages only, nothing that opens on request only."""

import re
import xml.etree.ElementTree as ET

import pytest
from django.test import Client

from evaluation.models import Benchmark, Conversation, MetricVersion, Release
from evaluation.services.publishing import RESERVED_SLUGS
from labels import site_map
from labels.urls import urlpatterns
from tests.support.builders import make_conversation, make_metric, make_model, make_release, make_run, make_scenario

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def release() -> Release:
    return make_release()


def addresses(client: Client, path: str) -> list[str]:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml; charset=utf-8")
    ET.fromstring(response.content.decode())
    return re.findall(r"<loc>http://testserver(.*?)</loc>", response.content.decode())


def all_addresses(client: Client) -> list[str]:
    return [found for part in addresses(client, "/sitemap.xml") for found in addresses(client, part)]


def test_robots_names_the_map_and_closes_what_is_no_page_of_results(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()

    assert text.startswith("User-agent: *\nDisallow: /accounts/\n")
    assert text.endswith("\nSitemap: http://testserver/sitemap.xml\n")


def test_map_leads_to_pages_that_exist_and_to_each_once(client: Client, release: Release) -> None:
    found = all_addresses(client)

    assert len(found) == len(set(found))
    pages = [address for address in found if not address.startswith("/conversations/")]
    assert [address for address in pages if client.get(address).status_code != 200] == []
    assert "/labels/luna/" in found
    n_conversations = Conversation.objects.filter(verdicts__release=release).count()
    assert len(found) - len(pages) == n_conversations


def test_map_leaves_out_what_opens_on_request_only_and_what_nobody_published(client: Client, release: Release) -> None:
    version = make_metric("secret")
    hidden = make_conversation(make_run("secret", versions=[version]), make_scenario(version), make_model())
    version = release.metric_versions.get(metric__slug="autonomy/m01")
    closed = list(
        Conversation.objects.filter(scenario__base__metric_version=version).values_list("public_id", flat=True)
    )
    MetricVersion.objects.filter(pk=version.pk).update(content_notices=["self-harm"])

    found = all_addresses(client)

    assert [one for one in (*closed, hidden.public_id) if f"/conversations/{one}/" in found] == []
    Benchmark.objects.update(content_notices=["violence"])
    assert [address for address in all_addresses(client) if address.startswith("/conversations/")] == []


def test_map_of_a_retracted_release_has_its_page_only(client: Client, release: Release) -> None:
    Release.objects.filter(pk=release.pk).update(status="retracted", retraction_reason="Wrong judge.")

    found = all_addresses(client)

    assert [address for address in found if "luna" in address or address.startswith("/conversations/")] == []
    assert "/releases/2026-a/" in found


def test_map_is_cut_into_files_and_knows_no_others(
    client: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = site_map.open_conversations().count()
    monkeypatch.setattr(site_map, "LONGEST", n - 1)

    assert addresses(client, "/sitemap.xml")[-2:] == ["/sitemap-conversations-1.xml", "/sitemap-conversations-2.xml"]
    assert len(addresses(client, "/sitemap-conversations-2.xml")) == 1
    for name in ("conversations-0", "conversations-99999999999999999999", "nothing", "conversations-x"):
        assert client.get(f"/sitemap-{name}.xml").status_code == 404


def test_feed_has_every_release_newest_first_with_its_limits(client: Client, release: Release) -> None:
    make_release("2026-b", run=release.runs.get(), title="Second <release> \x0b")

    response = client.get("/releases/feed/")

    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(response.content.decode())
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Second <release> ", release.title]
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
        "urn:impactbench:release:2026-b", "urn:impactbench:release:2026-a",
    ]  # fmt: skip
    summary = entries[1].findtext(f"{ATOM}summary") or ""
    assert summary.startswith("3 models, 12 metrics, ")
    assert "stress test with simulated users" in summary


def test_feed_says_of_a_retracted_release_that_it_is_and_why(client: Client, release: Release) -> None:
    Release.objects.filter(pk=release.pk).update(status="retracted", retraction_reason="Wrong <judge>.")

    feed = ET.fromstring(client.get("/releases/feed/").content.decode())

    assert feed.findtext(f"{ATOM}entry/{ATOM}title") == f"Retracted: {release.title}"
    summary = feed.findtext(f"{ATOM}entry/{ATOM}summary") or ""
    assert summary.startswith("This release was retracted: Wrong &lt;judge&gt;.")


def test_no_release_may_have_the_name_of_a_page_that_stands_beside_releases() -> None:
    beside = {str(one.pattern).split("/")[1] for one in urlpatterns if str(one.pattern).startswith("releases/")}

    assert {name for name in beside if name and "<" not in name} == RESERVED_SLUGS


def test_feed_is_named_on_every_page(client: Client) -> None:
    assert '<link rel="alternate" type="application/atom+xml"' in client.get("/about/").content.decode()
