"""Explore in a real browser: filters without a reload, a wheel of links, a chart only when asked for."""

import re

import pytest
from playwright.sync_api import Page, expect

from evaluation.models import Release
from tests.journeys.conftest import Visit
from tests.support.far_apart import far_apart

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLACE = "/explore/psychological/agency-purpose/"
VIEWS = ["dots", "grid", "wheel", "table"]


@pytest.fixture
def release() -> Release:
    return far_apart(resamples=100)


def test_filters_change_the_page_without_a_reload(visit: Visit, release: Release) -> None:
    page = visit.page
    visit.open(PLACE)
    page.evaluate("() => { window.stayed = true; }")
    status = page.locator("#explore-status")

    page.get_by_label("Kind", exact=True).focus()
    page.get_by_label("Kind", exact=True).select_option("avoid")
    expect(page).to_have_url(re.compile(r"\?p=avoid$"))
    expect(status).to_have_text(f"4 models shown: Everyone, Avoids harm, {release.title}.")
    expect(page.get_by_label("Kind", exact=True)).to_be_focused()
    expect(page).to_have_title(re.compile(", Avoids harm: Explore"))

    page.get_by_text("Models: choose").click()
    page.get_by_role("checkbox", name="Luna").check()
    expect(status).to_have_text(f"1 model shown: Everyone, Avoids harm, {release.title}.")
    expect(page.get_by_role("checkbox", name="Luna")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?m=luna&p=avoid$"))
    assert page.evaluate("() => window.stayed") is True
    assert _repeated_ids(page) == []
    assert visit.accessibility_problems() == []

    page.go_back()
    expect(status).to_have_text(f"4 models shown: Everyone, Avoids harm, {release.title}.")
    expect(page.locator("#e-m-luna")).not_to_be_checked()
    page.reload()
    expect(status).to_have_text(f"4 models shown: Everyone, Avoids harm, {release.title}.")


def test_chart_comes_when_asked_and_within_the_policy(visit: Visit, release: Release) -> None:
    page, asked = visit.page, list[str]()
    page.on("request", lambda request: asked.append(request.url))
    visit.open(PLACE)
    page.wait_for_load_state("networkidle")
    assert [address for address in asked if "plotly" in address or "figure" in address] == []
    # Ten, and the browser's own question for the icon.
    assert len(asked) <= 11

    button = page.get_by_role("button", name="Make interactive")
    button.click()
    expect(page.locator(".ex-live [role=status]")).to_contain_text("The table has the same numbers.")
    expect(page.locator(".ex-live-chart .main-svg").first).to_be_visible()
    page.locator(".ex-live-chart .point").first.hover(force=True)
    expect(page.locator(".ex-live-chart .hovertext")).to_have_count(1)
    expect(page.locator(".ex-live-chart .modebar")).to_have_count(0)
    assert page.locator(".ex-live-chart").get_attribute("aria-hidden") == "true"
    expect(page.get_by_role("button", name="Hide the interactive chart")).to_be_focused()
    assert visit.accessibility_problems() == []

    page.get_by_role("button", name="Hide the interactive chart").click()
    expect(page.locator(".ex-live-chart .main-svg")).to_have_count(0)


def test_chart_that_cannot_be_loaded_says_so(visit: Visit, release: Release) -> None:
    visit.open(PLACE)
    visit.page.route("**/*.figure.json*", lambda route: route.fulfill(status=503))

    visit.page.get_by_role("button", name="Make interactive").click()

    expect(visit.page.locator(".ex-live [role=status]")).to_contain_text("could not be loaded")
    visit.troubles = [trouble for trouble in visit.troubles if "503" not in trouble]


def test_wheel_is_a_list_and_a_picture_with_the_same_links(visit: Visit, release: Release) -> None:
    visit.open("/explore/?view=wheel&m=luna")

    in_list = visit.page.locator(".wheel-list a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    slices = visit.page.locator(".wheel a")
    assert slices.evaluate_all("all => all.map(one => one.getAttribute('href'))") == in_list
    names = slices.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert all("Promotes good" in name and "Avoids harm" in name for name in names)
    slices.first.focus()
    visit.page.keyboard.press("Enter")
    expect(visit.page).to_have_url(re.compile("/explore/psychological/[a-z-]+/"))


def test_every_view_reads_without_javascript(visit_without_javascript: Visit, release: Release) -> None:
    page = visit_without_javascript.page
    for view in VIEWS:
        visit_without_javascript.open(f"{PLACE}?view={view}")
        assert page.get_by_role("button", name="Make interactive").count() == 0
    visit_without_javascript.open(PLACE)
    page.get_by_text("Change what is shown").click()
    page.get_by_label("Kind", exact=True).select_option("promote")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.locator("#b-promote")).to_have_count(1)
    expect(page.locator("#b-avoid")).to_have_count(0)


def _repeated_ids(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => { const seen = new Set(), twice = []; document.querySelectorAll("[id]").forEach(
            one => seen.has(one.id) ? twice.push(one.id) : seen.add(one.id)); return twice; }"""
    )
    return found
