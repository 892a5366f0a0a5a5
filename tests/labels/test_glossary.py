"""The glossary has an entry for every word that a page links to, and says each in its place once."""

import re

import pytest
from django.test import Client
from django.urls import resolve

from labels.glossary import TERMS
from tests.support.commands import ROOT

LINK = re.compile(r"glossary(?:/|'\s*%\})#([\w-]+)")


def test_every_link_into_the_glossary_leads_to_a_word() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "labels").rglob("*.py")]

    linked = {slug for text in texts for slug in LINK.findall(text)}

    assert linked - {term.slug for term in TERMS} == set()


def test_words_are_explained_once_and_their_links_exist() -> None:
    assert len({term.slug for term in TERMS}) == len({str(term.word) for term in TERMS}) == len(TERMS)
    for term in TERMS:
        assert re.fullmatch(r"[a-z0-9-]+", term.slug)
        if term.more:
            assert resolve(term.more.split("#")[0]).app_name == "labels"


@pytest.mark.django_db
def test_links_of_the_glossary_lead_to_a_place_on_the_page(client: Client) -> None:
    page = client.get("/methodology/").content.decode()
    places = set(re.findall(r'\sid="([^"]+)"', page))

    anchors = {term.more.split("#")[1] for term in TERMS if term.more.startswith("/methodology/#")}

    assert anchors - places == set()


@pytest.mark.django_db
def test_contents_of_the_methodology_name_every_section(client: Client) -> None:
    page = client.get("/methodology/").content.decode()
    contents = page[page.index('class="toc"') : page.index('class="meth-main"')]

    named = re.findall(r'href="#([^"]+)"', contents)

    assert named == re.findall(r'<h2 id="([^"]+)"><span class="secno">', page)
    numbers = re.findall(r'<span class="secno">(\d+)</span>', page)
    assert [int(number) for number in numbers] == list(range(1, len(named) + 1))
