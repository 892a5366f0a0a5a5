"""A visitor who has keys only."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.journeys.site.tab_walk import CONTROLS

_WAY = f"wanted => {{ const all = ({CONTROLS})(); return all.indexOf(wanted) - all.indexOf(document.activeElement); }}"


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab, or Shift and Tab, as often as there are controls on the way; this must then have the focus."""
    expect(wanted).to_be_visible()
    way = wanted.evaluate(_WAY)
    for _ in range(abs(way)):
        page.keyboard.press("Tab" if way > 0 else "Shift+Tab")
    expect(wanted).to_be_focused()


def press_on(page: Page, wanted: Locator, key: str = "Enter") -> None:
    """Tab to this and press a key on it."""
    tab_to(page, wanted)
    page.keyboard.press(key)
