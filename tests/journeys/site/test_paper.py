"""Printed pages, read as text: a label on one sheet, a conversation in full."""

import io

import pytest
from pypdf import PdfReader

from tests.journeys.conftest import Visit
from tests.journeys.site.pages import FULL, TWO
from tests.support import july_words
from tests.support.july_shape import EXPLAINED, NOTABLE

pytestmark = pytest.mark.browser

NAVIGATION = [
    "Skip to the content",
    "Submit a metric",
    "Sign in",
    "Glossary",
    "Feed of releases",
    "Copy link",
    "Compare with",
]

# What hides a part of a turn's words.
CUT = """() => [...document.querySelectorAll('.turn, .turn *:not(.vh)')].filter(
  one => getComputedStyle(one).overflow !== 'visible' && one.scrollHeight > one.clientHeight + 1
).map(one => one.outerHTML.slice(0, 100))"""


def _sheets(visit: Visit, paper: str) -> list[str]:
    """The text of each sheet, with spaces as one."""
    reader = PdfReader(io.BytesIO(visit.page.pdf(format=paper)))
    return [" ".join(sheet.extract_text().split()) for sheet in reader.pages]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_label_is_one_sheet_with_everything_to_find_it_again(july: Visit, paper: str) -> None:
    july.open(f"/labels/{FULL}/")
    headlines = [
        " ".join(line.split()) for line in july.page.locator(".head-line .num").all_inner_texts() if "–" in line
    ]
    amount = july.page.locator(".label-serve span").last.inner_text()

    (text,) = _sheets(july, paper)

    wanted = ["Alder 2", "Promotes good", "Avoids harm", *headlines, amount, "July 2026", f"/labels/{FULL}/"]
    assert [words for words in wanted if _bare(words) not in _bare(text)] == []
    assert [words for words in NAVIGATION if words in text] == []


def test_printed_conversation_is_whole(july: Visit) -> None:
    """All turns to the last word; who was simulated is unfolded."""
    july.open(f"/conversations/{EXPLAINED}/")
    said = july.page.locator(".say-text p").all_inner_texts()
    assert len(said) >= 8

    text = _bare("".join(_sheets(july, "A4")))

    assert [words for words in said if _bare(words) not in text] == []
    assert _bare("with a hard choice") in text
    assert [words for words in NAVIGATION if _bare(words) in text] == []


def test_turn_longer_than_a_sheet_goes_on_upon_the_next(july: Visit) -> None:
    july.open(f"/conversations/{NOTABLE['long']}/")
    july.page.emulate_media(media="print")
    cut = july.page.evaluate(CUT)

    reader = PdfReader(io.BytesIO(july.page.pdf(format="A4")))

    assert cut == []
    # Four turns of 100 kB, at 6 kB a sheet at most.
    assert len(reader.pages) > 4 * len(july_words.LONG) / 6_000
    assert _bare(july_words.SAYS[-1][1]) in _bare("".join(sheet.extract_text() for sheet in reader.pages[-4:]))


@pytest.mark.parametrize(
    ("address", "folded"),
    [("/explore/", ".ex-table td"), (f"/compare/?m={TWO},birch-1-1", ".cmp-pairs td"), ("/methodology/", "details li")],
)
def test_what_is_folded_on_the_screen_is_open_on_paper(july: Visit, address: str, folded: str) -> None:
    july.open(address)
    july.page.emulate_media(media="print")
    cell = july.page.locator(folded).last

    assert cell.is_visible()
    assert _bare(cell.inner_text()) in "".join(_bare(sheet) for sheet in _sheets(july, "A4"))


def _bare(text: str) -> str:
    """Without spaces, which a sheet sets where its lines end."""
    return "".join(text.split())
