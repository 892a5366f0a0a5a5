"""A case study from the picking to the public page, and all editorial pages, in a real browser without scripts too."""

from typing import Any

import pytest
from playwright.sync_api import expect

from evaluation.models import Taxonomy
from evaluation.services import paper_taxonomy
from evaluation.services.content_notices import set_on_metric
from tests.journeys.conftest import Visit
from tests.journeys.test_publication_pages import look
from tests.support.editorial import make_case, make_reply, make_verdict
from tests.support.portal import make_person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def work(transactional_db: None) -> dict[str, Any]:
    if not Taxonomy.objects.filter(slug=paper_taxonomy.SLUG).exists():
        paper_taxonomy.load()
    people = {"first": make_person("Ed One", "editor"), "second": make_person("Ed Two", "editor")}
    return {**people, "verdict": make_verdict()}


def test_a_case_study_goes_from_picking_to_readers_without_scripts(
    visit_without_javascript: Visit, work: dict[str, Any]
) -> None:
    visit, page = visit_without_javascript, visit_without_javascript.page
    conversation = work["verdict"].conversation.public_id

    visit.sign_in(work["first"])
    visit.open("/review/?tab=all")
    page.get_by_role("link", name="Public pages").click()
    page.get_by_role("link", name="Case studies").click()
    page.get_by_role("link", name="New case study").click()
    page.get_by_label("Address of the conversation").fill(f"{visit.site}/conversations/{conversation}/#turn-2")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Title").fill("How it came about")
    page.get_by_label("Summary").fill("It began well.")
    page.get_by_role("group", name="Remark 1 on turn 2").get_by_label("What it is").select_option("first-failure")
    page.get_by_role("group", name="Remark 1 on turn 2").get_by_label("Your words").fill("Here it takes over.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("Saved. Another editor publishes it.")
    expect(page.get_by_role("button", name="Publish version 1")).to_have_count(0)
    visit.press("Sign out")

    visit.sign_in(work["second"])
    visit.open("/review/cases/")
    page.get_by_role("link", name="How it came about").click()
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_role("status").first).to_contain_text("It is published.")
    visit.press("Sign out")

    visit.open("/cases/")
    page.get_by_role("link", name="How it came about").click()
    note = page.locator("#turn-2 aside")
    expect(note).to_contain_text("First failure")
    expect(note).to_contain_text("Here it takes over.")
    page.get_by_role("link", name="The conversation", exact=True).click()
    expect(page).to_have_url(f"{visit.site}/conversations/{conversation}/?release={work['verdict'].release.slug}")
    assert visit.troubles == []


def test_editorial_pages_fit_and_are_accessible(visit: Visit, work: dict[str, Any]) -> None:
    case = make_case(work["verdict"])
    reply = make_reply(work["verdict"].conversation.target)
    hard = make_case(make_verdict("hard-metric"), slug="hard")
    metric = hard.conversation.scenario.base.metric_version.metric
    set_on_metric(metric, ["violence"], seen=[], reason="It is.", actor=None)
    for address in ("/cases/", "/cases/a-case/", "/cases/hard/", "/cases/hard/?show=1", "/models/case-model/reply/"):
        look(visit, address, address.strip("/").replace("/", "-"))
    visit.sign_in(work["first"])
    slug = work["verdict"].conversation.scenario.base.metric_version.metric.slug
    for address in (
        "/review/notices/",
        f"/review/notices/metrics/{slug}/",
        "/review/notices/benchmarks/of-hard-metric/",
        "/review/cases/",
        "/review/cases/new/",
        f"/review/cases/{case.slug}/",
        "/review/replies/",
        "/review/replies/new/",
        f"/review/replies/{reply.pk}/",
    ):
        look(visit, address, address.strip("/").replace("/", "-"))
    assert visit.troubles == []


def test_annotations_stand_beside_their_turn_and_below_it_on_a_phone(visit: Visit, work: dict[str, Any]) -> None:
    make_case(work["verdict"])
    places = []
    for width in (1280, 360):
        visit.page.set_viewport_size({"width": width, "height": 900})
        visit.open("/cases/a-case/")
        boxes = [visit.page.locator(f"#turn-1 {part}").first.bounding_box() for part in (".say-ai", "aside")]
        assert all(boxes)
        reply, note = (box for box in boxes if box)
        places.append("beside" if note["x"] > reply["x"] + reply["width"] - 1 else "below")
        assert note["y"] >= reply["y"] + reply["height"] or places[-1] == "beside"

    assert places == ["beside", "below"]
