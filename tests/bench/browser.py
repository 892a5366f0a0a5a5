"""How soon public pages are seen on a slow phone, and how soon they react: `make bench`.

A browser with a fourth of this machine's speed, behind a slow mobile connection, opens pages of the July shape; each
line is the median of three first visits beside what the design allows. Times depend on the machine, so no test asks
for them; what pages weigh and how far they jump is held by tests/journeys/site/test_budgets.py.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.journeys.site.pages import FULL, METRIC, SUBAREA, TWO
from tests.support.browser import chromium
from tests.support.july_shape import EXPLAINED
from tests.support.july_site import shared_site
from tests.support.production_server import ROOT

VISITS = 3
CPU_SLOWED = 4
# A round trip, then bytes a second down and up: what browsers' own tools call slow 4G.
CONNECTION = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
LONGEST_BUSY = 200
_WATCH = """() => {
  const seen = window.seen = {largest: 0, slowest: 0, busy: 0};
  const watch = (type, each, more) => new PerformanceObserver(list => list.getEntries().forEach(each))
    .observe({type, buffered: true, ...more});
  watch('largest-contentful-paint', one => { seen.largest = one.startTime; });
  watch('event', one => { seen.slowest = Math.max(seen.slowest, one.duration); }, {durationThreshold: 16});
  watch('longtask', one => { seen.busy += one.duration - 50; });
}"""


@dataclass(frozen=True)
class Kind:
    """A kind of page: an example, and the milliseconds that the design allows to the first sight and to a reaction."""

    name: str
    address: str
    largest: int
    slowest: int


KINDS = (
    Kind("label", f"/labels/{FULL}/", 1_500, 100),
    Kind("embedded label", f"/labels/{FULL}/embed/", 1_500, 100),
    Kind("metrics", "/metrics/", 2_000, 150),
    Kind("metric", METRIC, 2_000, 150),
    Kind("conversation", f"/conversations/{EXPLAINED}/", 2_000, 150),
    Kind("Explore", "/explore/", 2_000, 200),
    Kind("subarea", SUBAREA, 2_000, 200),
    Kind("compare", f"/compare/?m={TWO}", 2_000, 200),
)


def main() -> None:
    """Prints a line for each kind of page."""
    with tempfile.TemporaryDirectory(prefix="ib-bench-") as folder, shared_site(Path(folder) / "site") as url:
        _measure(url)


def _measure(url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for kind in KINDS:
            visits = [_visit(browser, url + kind.address) for _ in range(VISITS)]
            seen = {name: statistics.median(visit[name] for visit in visits) for name in visits[0]}
            print(  # noqa: T201
                f"browser: {kind.name}: largest part seen after {seen['largest']:,.0f} ms (at most "
                f"{kind.largest:,}), slowest reaction {seen['slowest']:.0f} ms ({kind.slowest}), busy for "
                f"{seen['busy']:.0f} ms ({LONGEST_BUSY})",
                flush=True,
            )
        browser.close()


def _visit(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds of one first visit: `largest`, `slowest` and `busy`."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("Network.enable")
    devices.send("Network.emulateNetworkConditions", CONNECTION)
    devices.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWED})
    page.add_init_script(f"({_WATCH})()")
    page.goto(address)
    page.wait_for_load_state("networkidle")
    _use(page)
    seen: dict[str, float] = page.evaluate("() => window.seen")
    context.close()
    return seen


def _use(page: Page) -> None:
    """Press what opens and what can be typed into, as a reader would; what leads away is left alone."""
    for one in page.locator("summary:visible").all()[:3]:
        one.click()
    for one in page.locator("input[type=search]:visible").all()[:1]:
        one.press_sequentially("choice")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
