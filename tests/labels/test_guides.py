"""Guides change order and words, never a number."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from evaluation.models import Release
from labels import queries
from labels.guides import BY_SLUG, GUIDES, places_first
from labels.queries import Place
from tests.labels.missing import missing_page
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return make_release()


def glance(page: str) -> str:
    """The numbers of all models, as text."""
    return " ".join(strip_tags(page[page.index('<ul class="dots dots-two">') : page.index("</figure>")]).split())


def test_every_guide_shows_the_numbers_that_the_home_page_shows(client: Client, release: Release) -> None:
    home = glance(client.get("/").content.decode())

    assert {glance(client.get(guide.path).content.decode()) for guide in GUIDES} == {home}


def test_guides_differ_in_order_and_all_lead_to_limits_and_ranges(release: Release) -> None:
    assert len({tuple(step.path for step in guide.steps) for guide in GUIDES}) > 1
    for guide in GUIDES:
        paths = [step.path for step in guide.steps]
        assert len(paths) == len(set(paths))
        assert {"/methodology/#limits", "/methodology/#range"} <= set(paths)


@pytest.mark.parametrize("guide", [guide.slug for guide in GUIDES])
def test_every_link_of_a_guide_leads_somewhere(client: Client, release: Release, guide: str) -> None:
    page = client.get(f"/for/{guide}/").content.decode()
    main = page[page.index("<main") : page.index("</main>")]

    links = {link.split("#")[0] for link in re.findall(r'href="(/[^"]*)"', main)} - {""}

    assert [link for link in sorted(links) if client.get(link.replace("&amp;", "&")).status_code != 200] == []


def test_parts_of_life_come_in_the_guides_order_and_none_is_lost(release: Release) -> None:
    areas = queries.places(release)

    first, others = places_first(BY_SLUG["educators"], areas)

    assert [part.slug for _, part in first] == ["learning-skill-development", "cognition-judgment", "agency-purpose"]
    assert len(first) + len(others) == sum(len(area.parts) for area in areas)


def test_parts_of_life_of_another_taxonomy_are_met_by_a_word_that_says_enough() -> None:
    area = Place("x", "X", parts=[Place("physical-health", "H"), Place("mental-wellbeing", "M"), Place("law", "L")])

    first, _ = places_first(BY_SLUG["parents"], [area])

    assert [part.slug for _, part in first] == ["mental-wellbeing"]


def test_guide_before_anything_is_published_says_so(client: Client) -> None:
    assert "Nothing has been published yet" in client.get("/for/parents/").content.decode()


def test_guide_that_does_not_exist_names_those_that_do() -> None:
    page = missing_page("/for/robots/")

    assert [guide.path for guide in GUIDES if f'href="{guide.path}"' in page] == [guide.path for guide in GUIDES]


def test_home_and_footer_lead_to_every_guide(client: Client, release: Release) -> None:
    home, other = (client.get(path).content.decode() for path in ("/", "/releases/"))

    for guide in GUIDES:
        assert home.count(f'href="{guide.path}"') == 2
        assert other.count(f'href="{guide.path}"') == 1
