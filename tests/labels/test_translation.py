"""Every string of the public pages can be translated: in a language that no one speaks, none stays English."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.db import models
from django.test import Client

from labels.guides import GUIDES
from tests.support import july_shape
from tests.support.july_shape import NOTABLE
from tests.support.pseudo_locale import CLOSE, OPEN, pseudo_locale

pytestmark = pytest.mark.django_db

MODEL, OTHER, METRIC = "alder-2", "harbor-3", "/metrics/borrowed-decisions/m01/"
PAGES = [
    *july_shape.addresses(),
    f"/labels/{MODEL}/?profile=teen",
    "/labels/islet-1b/",
    "/labels/juniper-adults/",
    "/labels/?sort=avoid&weights=open",
    "/compare/",
    *(
        f"/compare/?m={MODEL},{OTHER},kelp-null&view={view}"
        for view in ("label", "areas", "metrics", "profiles", "repeats")
    ),
    "/explore/?view=wheel",
    "/explore/?m=nobody&view=none",
    "/concerns/",
    "/concerns/?weights=agency-purpose:3,privacy-security:1",
    "/metrics/?q=nothing+like+it",
    "/metrics/?p=avoid&status=machine-judged",
    f"/conversations/{july_shape.SENSITIVE}/?show=1",
    f"/conversations/{NOTABLE['hostile']}/?with={NOTABLE['long']}",
    *(guide.path for guide in GUIDES),
    "/cite/",
    f"/cite/?m={MODEL}",
    "/cases/",
    f"/cases/{july_shape.CASE}/",
    f"/models/{MODEL}/reply/",
    f"{METRIC}voices/",
    f"/labels/{MODEL}/?release=2026-04",
    "/search/",
    "/search/?q=zzzzqq",
    "/labels/alder/",
    "/metrics/borrowed-decisions/m99/",
    "/nowhere/",
]
# Names and signs that are the same in every language.
PROPER = re.compile(
    r"ImpactBench|CSV|XLSX|JSON|SVG|PNG|PDF|REST|API|BibTeX|APA|Markdown|DOI|Wilson|Holm|Spearman|HTML|URL|PCG64|"
    r"[a-z-]+/[a-z0-9./_-]+|https?://\S+|\bn\b|\bAI\b|\bUTC\b"
)
EDGES = " \n\t·:,.;()“”\"'–-/+&→←✓✗%"
SILENT = ("script", "style", "code", "pre", "textarea")
VOID = ("br", "hr", "img", "input", "link", "meta", "wbr")
READ_ATTRIBUTES = ("alt", "aria-label", "placeholder", "title")


class Texts(HTMLParser):
    """The texts that a reader of the page sees or hears, one a node; what is no language (`translate="no"`) is not."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        # The open elements from the outermost one on whose text is not read.
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if (self.silent or tag in SILENT or _is_no_text_of_ours(tag, dict(attrs))) and tag not in VOID:
            self.silent.append(tag)
        if not self.silent or tag in SILENT:
            self.found += [value or "" for name, value in attrs if name in READ_ATTRIBUTES]
        if ("name", "description") in attrs:
            self.found += [value or "" for name, value in attrs if name == "content"]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.silent:
            del self.silent[len(self.silent) - 1 - self.silent[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def _is_no_text_of_ours(tag: str, attributes: dict[str, str | None]) -> bool:
    """What is no language, what people and models wrote, and what says itself which language it is in."""
    named = "lang" in attributes and tag != "html"
    return attributes.get("translate") == "no" or attributes.get("dir") == "auto" or named


def texts(html: str) -> list[str]:
    """The page's texts; a marked string that holds tags is one text, so all of them are joined first."""
    parser = Texts()
    parser.feed(html)
    return parser.found


def unmarked(html: str, data: str) -> list[str]:
    """The pieces of text that are neither marked nor data."""
    text = "\x1f".join(texts(html))
    nested = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", re.DOTALL)
    while nested.search(text):
        text = nested.sub("\x1f", text)
    pieces = [piece.strip(EDGES) for piece in re.split(r"[\x1f\n]| [·:–/\u00d7\u2212] |[:,;] ", text)]
    wordy = [piece for piece in pieces if re.search(r"[^\W\d_]{2,}", PROPER.sub("", piece))]
    return sorted({piece for piece in wordy if piece.casefold() not in data})


def everything_stored() -> str:
    """All texts of the database, as one."""
    found = []
    for model in apps.get_models():
        names = [field.attname for field in model._meta.concrete_fields if not isinstance(field, models.BinaryField)]
        found += [str(value) for row in model._default_manager.values_list(*names) for value in row]
    return "\n".join(found).casefold()


def test_no_text_of_a_public_page_is_left_unmarked(client: Client) -> None:
    july_shape.build(replace(july_shape.SMALL, with_older=True))
    data = everything_stored()

    with pseudo_locale():
        pages = {address: client.get(address).content.decode() for address in PAGES}

    assert {address: found for address, html in pages.items() if (found := unmarked(html, data))} == {}
