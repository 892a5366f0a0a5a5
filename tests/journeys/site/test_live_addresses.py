"""What a live form shows is in the address: reloaded, opened elsewhere, on the way back and on the way forth."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Visit
from tests.journeys.site.pages import SUBAREA

pytestmark = pytest.mark.browser

REPEATED = (
    """() => [...document.querySelectorAll('[id]')].map(one => one.id).filter((id, at, all) => all.indexOf(id) < at)"""
)


@dataclass(frozen=True)
class Live:
    """A page with a live form: what its filters are called, and where it says what it shows."""

    address: str
    first: tuple[str, str]
    then: tuple[str, str]
    said: str
    only_scripts: tuple[str, ...] = ("Copy link",)


PAGES = {
    "explore": Live(
        SUBAREA, ("Who was asking", "teen"), ("Kind", "avoid"), "#explore-status", ("Copy link", "Make interactive")
    ),
    "metrics": Live("/metrics/", ("Area", "social"), ("Benchmark", "fine-print"), "#found .count"),
}


@pytest.mark.parametrize("name", PAGES)
def test_live_page_keeps_its_state_in_the_address(july: Visit, name: str) -> None:
    live, page = PAGES[name], july.page
    july.open(live.address)
    seen = [_seen(page, live)]
    for label, value in (live.first, live.then):
        page.get_by_label(label, exact=True).select_option(value)
        expect(page.locator(live.said)).not_to_have_text(seen[-1][1])
        expect(page.locator("main .chip")).to_have_count(len(seen))
        page.wait_for_url(lambda url, before=seen[-1][0]: url != before)  # type: ignore[misc]
        seen.append(_seen(page, live))
        assert page.evaluate(REPEATED) == []

    page.reload()
    assert _seen(page, live) == seen[2]
    other = page.context.new_page()
    other.goto(page.url)
    assert _seen(other, live) == seen[2]
    other.close()

    for step, wanted in ((page.go_back, seen[1]), (page.go_back, seen[0]), (page.go_forward, seen[1])):
        step()
        expect(page.locator(live.said)).to_have_text(wanted[1])
        assert _seen(page, live) == wanted
        assert page.evaluate(REPEATED) == []
        for button in live.only_scripts:
            expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()
    # And the form is alive still.
    page.get_by_label(live.then[0], exact=True).select_option(live.then[1])
    expect(page.locator(live.said)).to_have_text(seen[2][1])
    page.wait_for_url(seen[2][0])


def _seen(page: Page, live: Live) -> tuple[str, str, list[str]]:
    """The address, what the page says it shows, and how its filters stand."""
    filters = [page.get_by_label(label, exact=True).input_value() for label, _value in (live.first, live.then)]
    return page.url, " ".join(page.locator(live.said).inner_text().split()), filters
