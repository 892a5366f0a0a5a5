"""Every public page by keyboard: Tab reaches all controls in the order they are read in, and shows where one is."""

import pytest

from tests.journeys.conftest import Visit
from tests.journeys.site.tab_walk import walk
from tests.support import july_words

pytestmark = pytest.mark.browser

MODEL = july_words.MODELS[0].slug
METRIC = "/metrics/borrowed-decisions/m01/"
# One of each kind, and those with something that stays in view while a page scrolls.
PAGES = [
    "/",
    f"/labels/{MODEL}/",
    f"/labels/{MODEL}/own-choices/",
    f"/compare/?m={MODEL},{july_words.PARTIAL}",
    "/explore/psychological/agency-purpose/",
    "/explore/?view=grid",
    "/explore/?view=table",
    "/explore/?view=wheel",
    "/metrics/?p=avoid",
    METRIC,
    "/conversations/july-hostile/",
    f"/models/{MODEL}/",
    "/releases/2026-07/report/",
    "/methodology/",
    "/concerns/",
]
ON_A_PHONE = [
    f"/labels/{MODEL}/",
    f"/compare/?m={MODEL},{july_words.PARTIAL}",
    "/explore/psychological/?view=table",
    "/metrics/",
    "/conversations/july-hostile/",
]
# Neighbours in one box of which the later stands above the earlier, or starts left of it on the same line. The slices
# of a wheel go round.
TURNED_ROUND = """() => {
  const has = one => one.checkVisibility() && one.querySelector('a[href], button, input, select, textarea, summary');
  const found = [];
  for (const box of document.querySelectorAll('body, body *:not(svg, svg *)')) {
    const children = [...box.children].filter(one => one.matches('a[href], button, input, select') || has(one))
      .filter(one => one.checkVisibility()).map(one => [one, one.getBoundingClientRect()])
      .filter(([one, area]) => area.width > 1 && area.height > 1);
    children.slice(1).forEach(([one, later], at) => {
      const earlier = children[at][1];
      const above = later.bottom <= earlier.top + 1 && later.left < earlier.right && later.right > earlier.left;
      const level = later.top < Math.min(earlier.bottom, earlier.top + 40) - 1 && later.bottom > earlier.top + 1;
      if (above || (level && later.right <= earlier.left + 1)) found.push(one.textContent.trim().slice(0, 60));
    });
  }
  return found;
}"""


def _findings(visit: Visit, address: str) -> dict[str, list[str]]:
    """What is wrong on the way, by what a reader loses."""
    visit.open(address)
    turned_round = visit.page.evaluate(TURNED_ROUND)
    way = walk(visit.page)
    in_order = zip(way.stops, sorted(way.order), strict=True)
    found = {
        "never reached": way.missed,
        "no control": [stop.says for stop in way.stops if stop.at < 0],
        "out of order": [stop.says for stop, wanted in in_order if stop.at != wanted],
        "shown in another order": turned_round,
        "without a mark": [stop.says for stop in way.stops if stop.is_unmarked],
        "covered": [f"{stop.says}: {stop.under}" for stop in way.stops if stop.under],
    }
    return {name: stops for name, stops in found.items() if stops}


@pytest.mark.parametrize("address", PAGES)
def test_tab_reaches_everything_in_order_and_shows_where_it_is(july: Visit, address: str) -> None:
    assert _findings(july, address) == {}


@pytest.mark.parametrize("address", ON_A_PHONE)
def test_tab_reaches_everything_on_a_narrow_screen(july_phone: Visit, address: str) -> None:
    assert _findings(july_phone, address) == {}
