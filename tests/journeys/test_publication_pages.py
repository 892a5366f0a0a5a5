"""Publishing, what readers say and the page of a new metric in a real browser, also without scripts and on a phone."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from evaluation.models import MetricVersion
from evaluation.services import paper_taxonomy
from submissions.models import Submission, Suggestion
from submissions.services.new_versions import new_version_of
from submissions.services.publishing import publish
from submissions.states import State
from tests.journeys.conftest import Visit
from tests.submissions.services.test_publishing import approved
from tests.support.portal import PASSWORD, make_decision, make_person, make_submission

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
METRIC = "/metrics/own-choices/avoid-deciding/"
# Where to put pictures, for somebody who wants to look.
PICTURES = os.environ.get("PICTURES", "")


class Work:
    """An approved submission, two editors, and a submission in review that can be decided."""

    def __init__(self) -> None:
        paper_taxonomy.load()
        self.first, self.second = make_person("Ed One", "editor"), make_person("Ed Two", "editor")
        self.author = make_person("Ada Expert", "expert", affiliation="House of Health")
        self.submission = approved(self.first, author=self.author, is_status_public=True)
        self.page = f"/review/{self.submission.public_id}"

    def publish(self) -> Submission:
        return publish(self.submission, actor=self.second)


@pytest.fixture
def work(transactional_db: None) -> Work:
    return Work()


def look(visit: Visit, address: str, name: str) -> None:
    """The page fits, and axe finds nothing, at 1280 and at 360 pixels."""
    visit.open(address)
    visit.settle()
    for width in (1280, 360):
        visit.page.set_viewport_size({"width": width, "height": 900})
        assert visit.overflow() <= 0, f"{address} at {width}"
        assert visit.accessibility_problems() == [], f"{address} at {width}"
        if PICTURES:
            visit.page.screenshot(path=str(Path(PICTURES) / f"{name}-{width}.png"), full_page=True)


def test_a_second_editor_publishes_without_scripts_on_a_phone(visit_without_javascript: Visit, work: Work) -> None:
    visit, page = visit_without_javascript, visit_without_javascript.page
    visit.sign_in(work.second)
    visit.open(f"{work.page}/publish/")
    assert visit.overflow() <= 0

    visit.press("Publish it")
    if page.get_by_label("Password", exact=True).count():
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        visit.go(page.locator("main button[type=submit]").first)

    expect(page.locator("main")).to_contain_text("It is published. Its authors are told.")
    visit.open(METRIC)
    expect(page.locator("main")).to_contain_text("No results yet")
    visit.follow("to the comments on this metric")
    page.get_by_label("It is about people like me").check()
    page.get_by_label("Your words").fill("It happened to me.")
    visit.press("Send it to the editors")
    visit.is_at(f"{METRIC}suggest/thanks/")
    assert [one.text for one in Suggestion.objects.all()] == ["It happened to me."]


def test_what_people_say_comes_with_the_page_of_the_metric(visit: Visit, work: Work) -> None:
    work.publish()
    metric = MetricVersion.objects.get().metric
    Suggestion.objects.create(metric=metric, kind="dispute", text="I doubt it.", state="shown", reply="Thank you.")

    visit.open(METRIC)

    expect(visit.page.get_by_text("I doubt it.")).to_be_visible()
    visit.follow("Say what you think of this metric")
    visit.is_at(f"{METRIC}suggest/")


def test_public_pages_fit_and_are_accessible(visit: Visit, work: Work) -> None:
    work.publish()
    metric = MetricVersion.objects.get().metric
    for kind in ("experience", "improvement"):
        Suggestion.objects.create(
            metric=metric, kind=kind, text=f"{kind} " * 40, state="shown", signed_as="Someone", reply="Thank you."
        )
    draft = new_version_of(work.submission, actor=work.author)
    MetricVersion.objects.create(
        metric=metric, number=2, name="Avoid deciding, said better", polarity="negative", definition="Better words.",
        is_published=True, content_hash="x", status="retired", retirement_reason="Superseded.",
        retired_at=work.submission.saved_at,
    )  # fmt: skip
    assert draft.improves == metric

    look(visit, METRIC, "metric")
    look(visit, f"{METRIC}?version=1", "metric-1")
    look(visit, f"{METRIC}suggest/", "suggest")
    look(visit, f"{METRIC}suggest/thanks/", "thanks")
    look(visit, f"/submissions/{work.submission.public_id}/status/", "status")
    look(visit, "/metrics/", "metrics")
    look(visit, "/benchmarks/own-choices/", "benchmark")


def test_pages_of_editors_fit_and_are_accessible(visit: Visit, work: Work) -> None:
    visit.sign_in(work.first)
    look(visit, f"{work.page}/publish/", "publish-approver")
    metric = MetricVersion.objects.get().metric
    work.publish()
    for number in range(3):
        Suggestion.objects.create(metric=metric, kind="dispute", text=f"Doubt {number} https://example.org/" * 5)

    look(visit, f"{work.page}/publish/", "published")
    look(visit, f"{work.page}/retire/", "retire")
    look(visit, "/review/suggestions/", "suggestions")


def test_the_plan_of_an_approval_fits_and_is_accessible(visit: Visit, work: Work) -> None:
    submission = make_submission(make_person("Be Other", "expert"), State.IN_REVIEW)
    make_decision(submission, work.first, "approve", "draft")
    visit.sign_in(work.first)

    look(visit, f"/review/{submission.public_id}/decision/", "decision")


def test_authors_read_what_readers_say(visit: Visit, work: Work) -> None:
    work.publish()
    Suggestion.objects.create(
        metric=MetricVersion.objects.get().metric, kind="dispute", text="It misses nights.", state="shown"
    )
    visit.sign_in(work.author)

    look(visit, f"/submissions/{work.submission.public_id}/voices/", "author-voices")
    assert visit.page.locator("main").inner_text().count("It misses nights.") == 1
