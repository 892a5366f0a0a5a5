"""What a page may weigh and ask for: bytes and requests are counted strictly; how fast it is, `make bench` says.

The budgets are those of the design: HTML, styles and scripts packed by gzip as the server sends them, no third party,
no chart library before somebody asks for it, and nothing that jumps while the page comes up on a slow phone.
"""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from functools import cache

import brotli  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, Request, expect

from tests.journeys.conftest import Visit
from tests.journeys.site.pages import FOUR, FULL, METRIC, SUBAREA, TWO
from tests.support.commands import ROOT
from tests.support.july_shape import EXPLAINED, NOTABLE

pytestmark = pytest.mark.browser

KB = 1024
# Four times as slow as this machine, which stands for a phone.
CPU_SLOWED = 4


@dataclass(frozen=True)
class Budget:
    """The most that a kind of page may have: kilobytes packed by gzip, requests, and how far things may jump."""

    html: int
    script: int
    requests: int
    shift: float
    css: int = 15


BADGE = Budget(html=8, script=0, requests=8, shift=0.02)
LABEL = Budget(html=25, script=20, requests=8, shift=0.02)
WORDS = Budget(html=40, script=20, requests=8, shift=0.05)
CHARTS = Budget(html=60, script=20, requests=10, shift=0.05)
# Read from the server alone, as this costs no browser: the heaviest of each kind; the long one holds a turn of 100 kB.
WEIGHED = {
    f"/labels/{FULL}/own-choices/": LABEL,
    "/labels/": LABEL,
    "/": LABEL,
    "/metrics/?area=social&p=avoid": WORDS,
    f"{METRIC}scenarios/1/": WORDS,
    f"/conversations/{NOTABLE['long']}/": WORDS,
    f"/models/{FULL}/": WORDS,
    "/methodology/": WORDS,
    "/explore/?view=wheel": CHARTS,
    "/explore/?view=grid": CHARTS,
    f"/compare/?m={TWO}": CHARTS,
    f"/compare/?m={FOUR}&view=metrics": CHARTS,
}
# Opened: a page of each kind, as what it asks for comes from its template.
OPENED = {
    f"/labels/{FULL}/embed/": BADGE,
    f"/labels/{FULL}/": LABEL,
    "/metrics/": WORDS,
    METRIC: WORDS,
    f"/conversations/{EXPLAINED}/": WORDS,
    SUBAREA: CHARTS,
    f"/compare/?m={FOUR}": CHARTS,
}
_WATCH = """() => {
  window.jumped = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { jumped += one.hadRecentInput ? 0 : one.value; }))
    .observe({type: 'layout-shift', buffered: true});
}"""
_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@cache
def packed(url: str) -> int:
    """The bytes that the server sends of an address, packed by gzip; what it leaves unpacked counts as it is."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return len(response.read())


@dataclass(frozen=True)
class Load:
    """What a page asked for until it was still, by kind, and how far its parts jumped meanwhile."""

    asked: list[tuple[str, str]]
    jumped: float

    def size(self, kind: str) -> int:
        return sum(packed(url) for one, url in self.asked if one == kind)


def load(browser: Browser, site: str, address: str) -> Load:
    """Open a page for the first time on a slow phone, and scroll to its end."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    asked: list[tuple[str, str]] = []

    def note(request: Request) -> None:
        asked.append((request.resource_type, request.url))

    page.on("request", note)
    page.add_init_script(f"({_WATCH})()")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWED})
    page.goto(site + address, wait_until="load")
    page.wait_for_load_state("networkidle")
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    page.evaluate(_TWO_FRAMES)
    jumped = page.evaluate("() => window.jumped")
    context.close()
    return Load(asked, jumped)


@pytest.mark.parametrize("address", OPENED)
def test_page_keeps_its_budget(browser: Browser, july_site: str, address: str) -> None:
    budget = OPENED[address]

    found = load(browser, july_site, address)

    foreign = [url for _kind, url in found.asked if not url.startswith((f"{july_site}/", "data:"))]
    over = {
        "html": found.size("document") - budget.html * KB,
        "css": found.size("stylesheet") - budget.css * KB,
        "script": found.size("script") - budget.script * KB,
        "requests": len([url for _kind, url in found.asked if not url.startswith("data:")]) - budget.requests,
        "shift": round(found.jumped - budget.shift, 3),
    }
    assert foreign == []
    assert {name: much for name, much in over.items() if much > 0} == {}
    assert [url for kind, url in found.asked if kind in ("font", "media", "websocket")] == []


def test_no_page_weighs_more_than_its_kind_may(july_site: str) -> None:
    heavy = {address: packed(july_site + address) - budget.html * KB for address, budget in WEIGHED.items()}

    assert {address: much for address, much in heavy.items() if much > 0} == {}


def test_chart_library_comes_when_somebody_asks_for_it_and_not_before(july: Visit) -> None:
    page, asked = july.page, []
    page.on("request", lambda request: asked.append(request.url.removeprefix(july.site)))
    july.open("/explore/")
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "plotly" in url or "figure" in url] == []

    page.get_by_role("button", name="Make interactive").click()
    expect(page.get_by_role("button", name="Hide the interactive chart")).to_be_visible()

    later = {url.rpartition("/")[2].partition(".")[0]: url for url in asked if "plotly" in url or "figure" in url}
    assert sorted(later) == ["explore", "plotly", "plotly-basic"]
    # The production server packs it better still, once for all.
    library = (ROOT / "static/vendor/plotly/plotly-basic.min.js").read_bytes()
    assert len(brotli.compress(library, quality=5)) <= 380 * KB
