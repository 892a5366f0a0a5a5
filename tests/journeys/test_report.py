"""The report of a release and the comparison of two in a real browser: no script needed."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Visit
from tests.support.builders import make_release
from tests.support.later_release import later_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def two_releases() -> None:
    later_release(make_release())


@pytest.mark.usefixtures("two_releases")
def test_reader_finds_the_report_and_what_changed_without_scripts(visit_without_javascript: Visit) -> None:
    visit = visit_without_javascript
    visit.open("/releases/2026-b/")
    visit.follow("Read the report")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Report on 2026-b")
    visit.follow("About this release")
    visit.follow("What changed since 2026-a")
    expect(visit.page.get_by_role("heading", name="Marked changes")).to_have_count(1)
