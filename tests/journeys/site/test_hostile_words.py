"""Words made to break out of a page stay words: they run nothing, fetch nothing, hide nothing, turn nothing around."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from labels.transcripts import ALLOWED_TAGS
from tests.journeys.conftest import Visit
from tests.journeys.site.pages import FULL
from tests.support.july_shape import NOTABLE
from tests.support.july_words import LONG, ZERO_WIDTH

pytestmark = pytest.mark.browser

BOTH = f"{NOTABLE['right-to-left']}/?with={NOTABLE['hostile']}"

# Every refusal of the page's own policy, from the first byte on.
_LISTEN = """() => {
  window.refused = [];
  const note = event => refused.push(`${event.effectiveDirective} ${event.blockedURI}`);
  addEventListener('securitypolicyviolation', note, true);
}"""
# What a page's words may be made of (labels/transcripts.py); nothing of it loads, links or runs.
_MARKUP = "() => [...document.querySelectorAll('.say-text *')].map(one => one.localName)"
_ALLOWED = ALLOWED_TAGS | {"mark", "div", "b"}
_HANDLERS = """() => [...document.querySelectorAll('*')].flatMap(
  one => one.getAttributeNames().filter(name => name.startsWith('on')))"""
_SCHEMES = """() => [...new Set(['href', 'src', 'action'].flatMap(
  name => [...document.querySelectorAll(`[${name}]`)].map(
    one => new URL(one.getAttribute(name), location).protocol)))]"""
# Characters that hide, join or reorder others, anywhere in what the page shows.
_HIDDEN = (
    r"""() => [...new Set(document.body.innerText.match(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g))]"""
)
_WHOLE = """() => [...document.body.children].map(one => one.localName + (one.id ? '#' + one.id : ''))"""


@pytest.fixture
def listening(july: Visit) -> Iterator[Visit]:
    """A visit of the July site that also notes what the page's policy refused."""
    july.page.add_init_script(f"({_LISTEN})()")
    yield july
    assert july.page.evaluate("() => window.refused") == []


@pytest.mark.parametrize("address", [f"{public_id}/" for public_id in NOTABLE.values()] + [BOTH])
def test_words_of_a_conversation_stay_words(listening: Visit, address: str) -> None:
    page = listening.page
    listening.open(f"/conversations/{address}")
    listening.settle()

    assert set(page.evaluate(_MARKUP)) - _ALLOWED == set()
    assert (page.evaluate(_HANDLERS), page.evaluate(_HIDDEN)) == ([], [])
    # The site's own mark is the one thing that is no address.
    assert sorted(page.evaluate(_SCHEMES)) == ["data:", "http:"]
    # Nothing closed the main part early, and both feet, that of paper and that of screens, follow it.
    assert page.evaluate(_WHOLE) == ["a", "svg", "header", "main#main", "footer", "footer"]
    assert "taken" not in page.title()
    assert page.evaluate("() => [getComputedStyle(document.body).direction, document.dir]") == ["ltr", ""]


def test_markup_in_a_turn_is_shown_as_it_was_written(july: Visit) -> None:
    july.open(f"/conversations/{NOTABLE['hostile']}/")
    said = july.page.locator("#turn-3 .say-ai")

    for words in (
        "<script>document.title='taken'</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)",
        "[picture left out: a pixel]", "</template></main>", "{{ 7|add:7 }} {x} %s %(name)s",
    ):  # fmt: skip
        expect(said).to_contain_text(words)


def test_hidden_and_turning_characters_are_spelled_out(july: Visit) -> None:
    july.open(f"/conversations/{NOTABLE['right-to-left']}/")
    turned = july.page.locator("#turn-3 .say-ai .say-text")
    expect(turned).to_contain_text("[U+202E]answer this backwards[U+202C] שלום، مرحبا, and then on in English.")

    july.open(f"/conversations/{NOTABLE['zero-width']}/")
    hidden = july.page.locator("#turn-3 .say-ai .say-text")
    # A joiner that a picture needs stays with it.
    spelled = ZERO_WIDTH
    for character in "\u200b\u2060\ufeff":
        spelled = spelled.replace(character, f"[U+{ord(character):04X}]")
    expect(hidden).to_contain_text(spelled.replace("\u200d and", "[U+200D] and"))


def test_hundred_kilobytes_in_a_turn_are_all_there_and_fit(july_phone: Visit) -> None:
    july_phone.open(f"/conversations/{NOTABLE['long']}/")
    words = july_phone.page.locator("#turn-3 .say-ai .say-text").inner_text()
    own = " ".join(words.replace("Cited by the judge", "").split())

    assert own.count(LONG.split(".")[0]) == 2_100
    assert july_phone.overflow() <= 0


# --- On somebody else's page


class _Parent(BaseHTTPRequestHandler):
    """A page that shows the address behind its question mark in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<!doctype html><iframe src="{self.path.partition("?")[2]}"></iframe>'.encode())

    def log_message(self, *_words: object) -> None:
        """Tests are quiet."""


@pytest.fixture
def foreign(browser: Browser) -> Iterator[tuple[BrowserContext, str]]:
    """A window that has seen nothing of our site, and a page of another origin on this machine.

    It must be a real one: from elsewhere a browser does not lead a frame to this machine at all.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), _Parent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context()
        yield context, f"http://127.0.0.1:{server.server_port}/?"
        context.close()
        server.shutdown()


def _framed(foreign: tuple[BrowserContext, str], address: str) -> tuple[str, str]:
    """What is in a frame of the foreign page that asked for this address: where it is, and its text."""
    context, parent = foreign
    page = context.new_page()
    page.goto(parent + address)
    frame = page.frames[1]
    frame.wait_for_load_state()
    return frame.url, frame.locator("body").inner_text()


def test_embedded_label_shows_on_a_foreign_page_and_leaves_nothing_there(
    foreign: tuple[BrowserContext, str], july_site: str
) -> None:
    address, text = _framed(foreign, f"{july_site}/labels/{FULL}/embed/")

    assert address == f"{july_site}/labels/{FULL}/embed/"
    assert text.startswith("AI Nutrition Label")
    assert foreign[0].cookies() == []


def test_other_pages_refuse_the_frame_of_a_foreign_page(foreign: tuple[BrowserContext, str], july_site: str) -> None:
    for path in ("/", "/accounts/login/"):
        address, text = _framed(foreign, july_site + path)

        assert address.startswith("chrome-error:")
        assert "ImpactBench" not in text
