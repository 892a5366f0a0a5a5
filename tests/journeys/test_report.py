"""The report of a release and the comparison of two in a real browser: no script needed, fits a phone, axe clean."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Visit
from tests.support.builders import make_release
from tests.support.later_release import later_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OPEN_ALL = "() => document.querySelectorAll('details').forEach(one => { one.open = true })"
PAGES = ("/releases/2026-b/", "/releases/2026-b/report/", "/releases/2026-b/compare/2026-a/")


@pytest.fixture
def two_releases() -> None:
    later_release(make_release())


@pytest.mark.usefixtures("two_releases")
def test_pages_of_a_release_fit_and_are_accessible(visit: Visit) -> None:
    for address in PAGES:
        visit.open(address)
        visit.page.evaluate(OPEN_ALL)
        for width in (1280, 360):
            visit.page.set_viewport_size({"width": width, "height": 900})
            assert (address, width, visit.overflow(), visit.accessibility_problems()) == (address, width, 0, [])


@pytest.mark.usefixtures("two_releases")
def test_reader_finds_the_report_and_what_changed_without_scripts(visit_without_javascript: Visit) -> None:
    visit = visit_without_javascript
    visit.open("/releases/2026-b/")
    visit.follow("Read the report")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Report on 2026-b")
    visit.follow("About this release")
    visit.follow("What changed since 2026-a")
    expect(visit.page.get_by_role("heading", name="Marked changes")).to_have_count(1)
