"""Ways through the public site with nothing but a keyboard, and back again."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserType, Page, expect

from tests.journeys.conftest import Visit, visit_in_a_window
from tests.journeys.site.keys import press_on, tab_to
from tests.support import july_words

pytestmark = pytest.mark.browser

MODEL = july_words.MODELS[0].slug
WHERE = (
    """() => [location.href, Math.round(scrollY), document.activeElement.textContent.trim().replace(/\\s+/g, ' ')]"""
)


@pytest.fixture
def july_that_keeps_pages(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], july_site: str
) -> Iterator[Visit]:
    """A visit in a browser that keeps left pages as they were, as people's browsers do and the tests' does not."""
    options = {**browser_type_launch_args, "ignore_default_args": ["--disable-back-forward-cache"]}
    browser = browser_type.launch(**options)
    with visit_in_a_window(browser, july_site, 1280, 900) as visit:
        yield visit
    browser.close()


def test_skip_link_is_the_first_stop_and_leads_past_the_navigation(july: Visit) -> None:
    page = july.page
    july.open(f"/labels/{MODEL}/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    assert skip.evaluate("one => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().height >= 24")

    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")

    assert page.evaluate("() => document.querySelector('main').contains(document.activeElement)") is True
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("() => document.querySelector('.mast').contains(document.activeElement)") is True


def test_from_home_to_one_turn_and_back_to_where_one_was(july_that_keeps_pages: Visit) -> None:
    """Home, label, teens, row, metric, conversation, turn; and every way back ends at the link one had taken."""
    page = july_that_keeps_pages.page
    july_that_keeps_pages.open("/")
    steps = [
        (page.get_by_role("link", name=re.compile("See a label")), f"/labels/{MODEL}/"),
        (page.get_by_role("navigation", name="Who was asking").get_by_role("link", name="Teens"), "profile=teen"),
        (page.locator(f".label-rows a[href^='/labels/{MODEL}/own-choices/']"), "/own-choices/"),
        (page.locator(".row-metrics th a").nth(2), "/metrics/"),
        (page.get_by_role("region", name="Verdicts by model").locator("td a").first, "/conversations/"),
        (page.locator("#turn-3 h3 a"), "#turn-3"),
    ]
    left = []
    for link, address in steps:
        tab_to(page, link)
        left.append(page.evaluate(WHERE))
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(re.escape(address)))
        page.wait_for_load_state()
    assert page.locator("#turn-3:target").count() == 1

    back = []
    for place in reversed(left):
        # The keys for it belong to the browser's own window, which a test has not.
        page.go_back(wait_until="commit")
        page.wait_for_url(place[0], wait_until="commit")
        page.wait_for_function("y => Math.abs(scrollY - y) <= 1", arg=place[1])
        back.append(page.evaluate(WHERE))

    # Within one page a browser leaves the focus where the turn was: the next Tab goes on from there.
    within, *between = back
    assert within[:2] == left[-1][:2]
    assert between == left[-2::-1]
    assert [("profile=teen" in url) for url, _scroll, _focus in left] == [False, False, True, True, True, True]


def test_three_models_are_chosen_and_compared(july: Visit) -> None:
    page = july.page
    july.open("/labels/")

    names = ("Alder 2", "Comet 70B", "Delta Pro")
    for name in names:
        press_on(page, page.get_by_role("checkbox", name=f"Compare {name}", exact=True), "Space")
    press_on(page, page.get_by_role("button", name="Compare the picked labels"))

    expect(page.get_by_role("heading", level=1)).to_have_text("Compare 3 models")
    heads = page.get_by_role("region", name="Comparison by row").locator("thead th a")
    assert heads.all_inner_texts() == list(names)


def test_metrics_are_filtered_cleared_and_paged(july: Visit) -> None:
    page = july.page
    july.open("/metrics/")
    found = page.locator("#found .count b")
    everything = found.inner_text()

    tab_to(page, page.get_by_role("radio", name="Both"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#found .chip")).to_contain_text("Kind: Promotes good")
    expect(page.get_by_role("radio", name="Promotes good")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/metrics/\?p=promote$"))
    expect(page.locator("#found-said")).to_have_text(re.compile(r"^\s*\d+ metrics found\s*$"))

    tab_to(page, page.get_by_role("combobox", name="Benchmark"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#found .chip")).to_have_count(2)
    expect(page.get_by_role("combobox", name="Benchmark")).to_be_focused()

    press_on(page, page.get_by_role("link", name="Clear all"))
    expect(found).to_have_text(everything)
    expect(page).to_have_url(re.compile(r"/metrics/\??$"))

    press_on(page, page.get_by_role("link", name="Next", exact=True))
    expect(page.locator("#found .section-head")).to_contain_text("showing 26 to 50")
    press_on(page, page.get_by_role("link", name="Previous", exact=True))
    expect(page.locator("#found .section-head")).to_contain_text("showing 1 to 25")


def test_age_is_changed_by_arrow_keys_and_the_focus_stays(july: Visit) -> None:
    page = july.page
    july.open("/explore/")
    age = page.get_by_role("combobox", name="Who was asking")

    tab_to(page, age)
    for chosen in ("teen", "adult"):
        page.keyboard.press("ArrowDown")
        expect(page).to_have_url(re.compile(f"profile={chosen}"))
        expect(page.locator("#explore-results .chip")).to_have_count(1)
        expect(age).to_be_focused()


def test_every_number_of_the_chart_is_reached_as_a_table(july: Visit) -> None:
    page = july.page
    july.open("/explore/")

    press_on(page, page.get_by_text("Show the same numbers as a table"))

    for kind in ("Promotes good", "Avoids harm"):
        region = page.get_by_role("region", name=f"{kind}, as a table")
        tab_to(page, region)
        assert region.locator("tbody tr").count() == len(july_words.MODELS)


def test_copying_a_link_says_that_it_is_done(july: Visit) -> None:
    """On a label, in the list of another page's forms, and beside a turn of a conversation."""
    page = july.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copied_on = {
        f"/labels/{MODEL}/?profile=teen": "Copy link",
        "/explore/?p=avoid": "Copy link",
        "/conversations/july-hostile/": "Copy link to turn 2",
    }
    for address, name in copied_on.items():
        july.open(address)
        button = page.get_by_role("button", name=name, exact=True)
        press_on(page, button)
        place = page.locator("[data-copy]", has=button)
        expect(place.get_by_role("status")).to_have_text("Copied.")
        expect(button).to_be_focused()
        copied = _clipboard(page)
        assert copied == place.get_attribute("data-copy")
        assert "release=2026-07" in copied


def _clipboard(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))
