"""All ways through the public site on a phone whose browser runs no scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import Visit
from tests.journeys.site.pages import FULL, METRIC, SUBAREA, TWO
from tests.support import july_words
from tests.support.july_shape import SENSITIVE

pytestmark = pytest.mark.browser

# Pages whose numbers are drawn, and the table that has the same.
DRAWN = {
    f"/labels/{FULL}/": "table.label-rows",
    f"/labels/{FULL}/own-choices/": "table.row-metrics",
    f"/compare/?m={TWO}": "table.cmp",
    "/explore/": "table.ex-table",
    SUBAREA: "table.ex-table",
    f"/models/{FULL}/": "table",
}
WAITS = re.compile(r"\b(loading|please wait|enable javascript|just a moment)\b", re.IGNORECASE)
# What only a script brings is not offered without one.
OFFERED_BY_SCRIPTS = ["Copy link", "Make interactive"]


def test_from_home_to_one_turn(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open("/")
    _take(page, page.get_by_role("link", name=re.compile("See a label")), f"/labels/{FULL}/")
    _take(page, page.locator(".label-who a", has_text="Teens"), f"/labels/{FULL}/?profile=teen")
    _take(page, page.locator(".label-rows a").first, f"/labels/{FULL}/own-choices/?profile=teen")
    _take(page, page.locator(".row-metrics th a").first, "/metrics/")
    _take(page, page.get_by_role("region", name="Verdicts by model").locator("td a").first, "/conversations/")
    assert "profile=teen" in page.url
    _take(page, page.locator("#turn-3 h3 a"), "#turn-3")

    expect(page.locator("#turn-3")).to_contain_text("Just tell me what to do.")


def test_from_an_area_down_to_a_conversation_and_on_to_the_next(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open("/explore/")
    page.get_by_text("Change what is shown").click()
    page.get_by_label("Who was asking").select_option("adult")
    page.get_by_text("Models: choose").click()
    page.get_by_role("checkbox", name="Delta Pro").check()
    page.get_by_role("checkbox", name="Birch 1.1").check()
    _press(page, "Show")
    expect(page.locator("#explore-status")).to_have_text(re.compile(r"^2 models shown: Adults 18\+, both kinds, "))

    _take(page, page.locator("main").get_by_role("link", name="Your choices", exact=True).first, SUBAREA)
    expect(page.locator("#explore-status")).to_have_text(re.compile(r"^2 models shown: Adults 18\+, both kinds, "))
    page.get_by_text("Show the same numbers as a table").click()
    expect(page.locator("#table tbody tr").first).to_be_visible()
    _take(page, page.locator("main a[href^='/metrics/']").first, "/metrics/")
    _take(page, page.locator("main a[href*='/scenarios/']").first, "/scenarios/")
    _take(page, page.get_by_role("region", name="Verdicts by model").locator("td a").first, "/conversations/")
    here = page.url
    page.get_by_role("link", name="Next", exact=True).click()
    page.wait_for_url(lambda url: "/conversations/" in url and url != here)


def test_labels_are_picked_and_compared_and_the_choice_changed(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open("/labels/")
    for name in ("Alder 2", "Delta Pro"):
        page.get_by_role("checkbox", name=f"Compare {name}", exact=True).check()
    _press(page, "Compare the picked labels")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare 2 models")

    page.get_by_label("Model 3").select_option("birch-1-1")
    page.get_by_label("Who was asking").select_option("teen")
    _press(page, "Show")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare 3 models")
    for view in ("By area", "By metric", "Between groups", "As on the label"):
        _take(page, page.get_by_role("link", name=view, exact=True), "/compare/")
        expect(page.get_by_role("link", name=view, exact=True)).to_have_attribute("aria-current", "page")


def test_metrics_are_filtered_searched_cleared_and_paged(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open("/metrics/")
    page.get_by_text("Search and filter").click()
    page.get_by_label("Area", exact=True).select_option("social")
    page.get_by_role("radio", name="Avoids harm").check()
    _press(page, "Apply")
    expect(page.locator("#found .chip")).to_have_count(2)
    _take(page, page.get_by_role("link", name="Next", exact=True), "after=")
    _take(page, page.get_by_role("link", name="Clear all"), "/metrics/")
    expect(page.locator("#found .chip")).to_have_count(0)

    visit.open("/search/")
    page.get_by_role("searchbox").last.fill("homework")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/search/\?q=homework"))
    expect(page.locator("main")).to_contain_text("Homework hours")


def test_hard_conversation_opens_only_when_asked(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open(f"/conversations/{SENSITIVE}/")
    expect(page.get_by_role("heading", name="This conversation may be hard to read")).to_be_visible()
    assert page.locator(".turn").count() == 0
    assert july_words.QUOTE not in page.content()

    page.get_by_role("link", name="Show the conversation").click()

    expect(page.locator(".turn")).to_have_count(4)
    expect(page.locator("#turn-3")).to_contain_text(july_words.QUOTE)


def test_weights_of_a_reader_count_without_a_script(july_without_javascript: Visit) -> None:
    visit, page = july_without_javascript, july_without_javascript.page
    visit.open("/concerns/")
    page.locator("main form select").first.select_option(index=1)
    page.locator("main form").get_by_role("button").first.click()
    page.wait_for_url(re.compile(r"/concerns/\?.*="))
    assert page.locator("main table tbody tr").count() >= 10


@pytest.mark.parametrize("address", DRAWN)
def test_picture_and_table_stand_without_a_script(july_without_javascript: Visit, address: str) -> None:
    page = july_without_javascript.page
    july_without_javascript.open(address)

    assert page.locator("main svg.di").count() > 0
    assert page.locator(f"main {DRAWN[address]}").count() > 0
    _waits_for_nothing(page)


@pytest.mark.parametrize(
    "address", ["/", "/metrics/", METRIC, f"/models/{FULL}/", "/methodology/", "/search/?q=choice"]
)
def test_nothing_waits_for_a_script(july_without_javascript: Visit, address: str) -> None:
    july_without_javascript.open(address)

    _waits_for_nothing(july_without_javascript.page)


def _waits_for_nothing(page: Page) -> None:
    text = page.locator("body").inner_text()
    assert WAITS.findall(text) == []
    offered = [name for name in OFFERED_BY_SCRIPTS if page.get_by_role("button", name=name).count()]
    assert offered == []


def _take(page: Page, link: Locator, address: str) -> None:
    link.click()
    page.wait_for_url(lambda url: address in url)


def _press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()
