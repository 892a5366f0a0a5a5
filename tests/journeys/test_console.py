"""An operator's way through /runs/ in a browser: from the estimate of a plan to its published release."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from evaluation.services import planning
from tests.journeys.conftest import Visit
from tests.support.commands import standing_worker
from tests.support.llm_server import Behaviour, Call, ScriptedLLM
from tests.support.plans import make_small_benchmark, write_plan
from tests.support.portal import make_person

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


class Models:
    """The scripted models: the first target takes its time, the second is out of order, until told otherwise."""

    def __init__(self, server: ScriptedLLM) -> None:
        self.url = server.url
        self.first_is_slow = self.second_is_broken = True
        server.script("target-a", self._first)
        server.script("target-b", self._second)

    def _first(self, _: Call) -> Behaviour:
        return Behaviour(text="Take one step at a time.", hangs_seconds=1.5 if self.first_is_slow else 0.02)

    def _second(self, _: Call) -> Behaviour:
        return Behaviour.rubbish() if self.second_is_broken else Behaviour.says("Ask a friend.")


@pytest.fixture
def models() -> Iterator[Models]:
    with ScriptedLLM() as server:
        yield Models(server)


@pytest.fixture
def worker(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    with standing_worker(settings.CELERY_TASK_DEFAULT_QUEUE, settings.PORTAL_QUEUE, home=tmp_path):
        yield


@pytest.mark.usefixtures("worker")
def test_operator_goes_from_an_estimate_to_a_published_release(visit: Visit, models: Models, tmp_path: Path) -> None:
    make_small_benchmark(n_scenarios=2)
    planning.freeze(planning.load_plan(write_plan(tmp_path, models.url, name="earlier")))
    visit.sign_in(make_person("Olga", "operator"))
    page = visit.page

    _estimate_and_start(visit)
    page.evaluate("() => { window.wasNotLoadedAnew = true; }")
    _see_it_move_and_fail(page)
    assert visit.accessibility_problems() == []
    models.second_is_broken = False
    visit.press("Try 8 again", exact=False)
    _pause_and_give_more(visit)
    models.first_is_slow = False
    visit.press("Resume")
    expect(page.locator(".p-runhead")).to_contain_text("Running")
    page.evaluate("() => { window.wasNotLoadedAnew = true; }")
    _publish_when_it_is_done(visit)


def _estimate_and_start(visit: Visit) -> None:
    page = visit.page
    visit.open("/runs/")
    page.get_by_label("Name of the run").fill("pilot")
    page.get_by_label("Simulated user", exact=True).select_option("simulator")
    page.get_by_role("group", name="Judges").get_by_label("Judge").check()
    for target in ("Target A", "Target B"):
        page.get_by_role("group", name="Targets").get_by_label(target).check()
    page.get_by_role("checkbox", name="Autonomy").check()
    page.get_by_label("Turns, at most").fill("2")
    page.get_by_label("Budget in US dollars").fill("25")
    page.get_by_label("Conversations in flight in each worker").fill("2")
    visit.press("Estimate")
    expect(page.get_by_role("status")).to_contain_text("16 conversations: 2 metrics, 8 scenarios, 2 targets")
    assert visit.accessibility_problems() == []
    visit.press("Start the run, up to $25.00")
    visit.is_at("/runs/pilot/#main")


def _see_it_move_and_fail(page: Page) -> None:
    """All of it without loading the page again, and what was opened stays open."""
    failures = page.get_by_role("heading", name="8 without a verdict")
    expect(failures).to_be_visible()
    page.locator(".p-fail summary").click()
    example = page.locator(".p-fail").get_by_text("Target B, autonomy/m01, scenario 1, Teens")
    expect(example).to_be_visible()
    fresh = page.locator(".p-fresh")
    before = fresh.inner_text()
    expect(fresh).not_to_have_text(before)
    expect(example).to_be_visible()
    assert page.evaluate("() => window.wasNotLoadedAnew")


def _pause_and_give_more(visit: Visit) -> None:
    page = visit.page
    visit.press("Pause")
    expect(page.locator(".p-runhead")).to_contain_text("Paused")
    page.get_by_label("Budget in US dollars").fill("50")
    visit.press("Change the budget")
    page.get_by_label("Conversations in flight in each worker").fill("16")
    visit.press("Change the conversations in flight")
    log = page.get_by_role("region", name="Table: Log")
    expect(log).to_contain_text("changed the budget from $25.00 to $50.00")
    expect(log).to_contain_text("changed the conversations in flight from 2 to 16")


def _publish_when_it_is_done(visit: Visit) -> None:
    page = visit.page
    name = page.get_by_label("Name of the release")
    expect(name).to_be_visible()
    expect(page.locator(".p-runhead")).to_contain_text("Finished")
    assert page.evaluate("() => window.wasNotLoadedAnew")
    assert visit.accessibility_problems() == []
    name.fill("2026-11")
    visit.press("Publish as a release")
    link = page.get_by_role("link", name="November 2026")
    expect(link).to_be_visible()
    visit.go(link)
    visit.is_at("/releases/2026-11/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("November 2026")
    expect(page.get_by_role("main")).to_contain_text("16")
