"""What a page says of itself to search engines and link previews: one address, its title again, its data."""

import json
import re
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils.html import strip_tags

from evaluation.models import Release
from labels.addresses import canonical_query
from labels.context import read_state
from labels.guides import GUIDES
from labels.templatetags.page_head import data_block
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db

PAGES = (
    "/", "/labels/", "/compare/", "/explore/", "/metrics/", "/metrics/autonomy/m01/", "/benchmarks/",
    "/benchmarks/autonomy/", "/models/luna/", "/models/terra/", "/labels/luna/", "/releases/", "/releases/2026-a/",
    "/methodology/", "/glossary/", "/about/", "/cite/", *(guide.path for guide in GUIDES),
)  # fmt: skip


@pytest.fixture
def release() -> Release:
    return make_release()


def head(client: Client, address: str) -> str:
    page = client.get(address).content.decode()
    return page[: page.index("</head>")]


def linked(page: str) -> dict[str, Any]:
    """The one block of linked data of a page."""
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    data: dict[str, Any] = json.loads(found)
    return data


def test_pages_have_one_canonical_address_and_a_title_and_description_of_their_own(
    client: Client, release: Release
) -> None:
    heads = {address: head(client, address) for address in PAGES}

    for address, found in heads.items():
        assert re.findall(r'<link rel="canonical" href="([^"]*)">', found) == [f"http://testserver{address}"]
        (title,) = re.findall(r"<title>(.*?) · ImpactBench</title>", found, re.DOTALL)
        assert re.findall(r'<meta property="og:title" content="([^"]*)">', found)[:1] == [title]
        (description,) = re.findall(r'<meta name="description" content="([^"]*)">', found)
        assert description.strip() == description != ""
        assert strip_tags(description) == description
    titles = [re.findall(r"<title>(.*?)</title>", found, re.DOTALL)[0] for found in heads.values()]
    assert len(set(titles)) == len(PAGES)


@pytest.mark.parametrize(
    ("query", "canonical"),
    [
        ("", ""),
        ("page=3&print=1&from=x", ""),
        ("profile=both&p=both&sort=name", ""),
        ("profile=nobody&p=sideways&m=nobody", ""),
        ("utm_source=mail&profile=teen", "?profile=teen"),
        ("m=terra&m=luna&p=avoid", "?m=luna,terra&p=avoid"),
        ("release=2026-a&view=grid", "?release=2026-a&view=grid"),
    ],
)
def test_canonical_query_is_that_of_what_is_shown(release: Release, query: str, canonical: str) -> None:
    request = RequestFactory().get(f"/explore/?{query}")

    assert canonical_query(request, read_state(request)) == canonical


def test_canonical_address_is_the_public_one_where_it_is_known(client: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://impactbench.example/"

    assert 'rel="canonical" href="https://impactbench.example/about/"' in head(client, "/about/")


@pytest.mark.parametrize("address", ["/models/nobody/", "/nowhere/", "/accounts/login/"])
def test_pages_that_are_no_public_results_name_no_canonical_address(client: Client, address: str) -> None:
    assert 'rel="canonical"' not in head(client, address)


def test_home_and_model_show_a_label_in_link_previews(client: Client, release: Release) -> None:
    for address in ("/", "/models/luna/"):
        assert '<meta property="og:image" content="http://testserver/labels/luna/share.png">' in head(client, address)
    assert "og:image" not in head(client, "/about/")


def test_home_says_in_data_what_the_site_is(client: Client) -> None:
    data = linked(client.get("/").content.decode())

    assert (data["@type"], data["url"]) == ("WebSite", "http://testserver/")
    assert data["potentialAction"]["target"] == "http://testserver/search/?q={search_term_string}"


def test_release_says_in_data_what_stands_on_its_page_and_nothing_breaks_out(
    client: Client, release: Release, settings: Any
) -> None:
    Release.objects.filter(pk=release.pk).update(title="</script><script>alert(1)</script>&")
    settings.SITE_OPERATOR = "The <b>lab</b>"

    page = client.get("/releases/2026-a/").content.decode()

    data = linked(page)
    assert data["@type"] == "Dataset"
    assert data["name"] == "ImpactBench: </script><script>alert(1)</script>&"
    assert data["identifier"] == ["http://testserver/releases/2026-a/", f"sha256:{release.content_hash}"]
    assert data["publisher"]["name"] == "The <b>lab</b>"
    assert "license" not in data
    assert "<script>alert" not in page
    for file in data["distribution"]:
        assert client.get(file["contentUrl"]).status_code == 200


def test_data_block_leaves_no_character_that_html_knows() -> None:
    assert (
        data_block({"a": "<!--&>"}) == '<script type="application/ld+json">{"a": "\\u003C!--\\u0026\\u003E"}</script>'
    )
    assert data_block(None) == ""
