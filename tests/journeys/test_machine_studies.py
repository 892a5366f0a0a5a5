"""Studies by machine in a browser: designed, started with what they would take, worked off, closed, published."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from evaluation.models import Run, Study, StudyFinding
from evaluation.services import paper_taxonomy
from evaluation.workers import runner
from evaluation.workers.auditing import audit_study
from tests.journeys.conftest import Visit
from tests.support.llm_server import Behaviour, ScriptedLLM
from tests.support.machine_studies import SMALL_MACHINE, make_pilot, work_off
from tests.support.other_threads import in_a_thread
from tests.support.portal import make_person

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("STUDY_SHOTS")
WIDTHS = (360, 768, 1280)


@pytest.fixture
def pilot(transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A finished run of our own, while its scripted models still answer."""
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.02)
    paper_taxonomy.load()
    with ScriptedLLM() as server:
        read = {"number": 1, "reason": "As it is.", "covered": True, "turn": 1}
        server.script("auditor", lambda _: Behaviour.json({"objectives": [read]}))
        in_a_thread(partial(make_pilot, server, tmp_path))
        yield Run.objects.get()


def test_every_kind_by_machine_goes_from_design_to_publication(visit: Visit, pilot: Run) -> None:
    visit.sign_in(make_person("Olga", "operator"))
    for kind in SMALL_MACHINE:
        is_looked_at = kind == "simulator-ablation"
        _designed(visit, kind, pilot)
        if is_looked_at:
            _look(visit, "machine-draft")
            visit.page.get_by_label("Model that audits the conversations").select_option("auditor")
            visit.press("See what it takes")
            expect(visit.page.get_by_role("region", name="Estimate: Auditor")).to_be_visible()
            _look(visit, "machine-audit")
        visit.page.get_by_label("Budget of each run in US dollars").fill("5")
        visit.press("Start its runs")
        expect(visit.page.locator("main")).to_contain_text("Its runs are at work, or over.")
        study = Study.objects.latest("pk")
        # The browser's event loop runs in this thread.
        in_a_thread(partial(work_off, study))
        in_a_thread(partial(audit_study, study))
        visit.page.reload()
        expect(visit.page.get_by_role("region", name="Table: Runs of this study")).to_contain_text("Finished")
        if is_looked_at:
            _look(visit, "machine-open")
        visit.press("Close it")
        visit.follow("Analysis", exact=True)
        expect(visit.page.locator("main")).to_contain_text("As it was frozen on")
        if is_looked_at:
            _look(visit, "machine-analysis")
        visit.page.go_back()
        visit.press("Publish it")
        expect(visit.page.locator("main")).to_contain_text("It was published on")
        assert StudyFinding.objects.filter(study=study, metric_version=None).count() == 1


def _designed(visit: Visit, kind: str, pilot: Run) -> None:
    page = visit.page
    visit.open(f"/studies/new/?kind={kind}")
    page.get_by_label("Title").fill("How the machine holds")
    page.get_by_label(pilot.slug, exact=True).check()
    for name, value in SMALL_MACHINE[kind].items():
        words = ", ".join(value) if isinstance(value, list) else str(value)
        page.locator(f"[name='n-{name}']").fill(words)
    visit.press("Keep this study")
    expect(page.get_by_role("heading", name="Runs of this study")).to_be_visible()


def _look(visit: Visit, name: str) -> None:
    """At all widths nothing to scroll sideways; axe finds nothing wrong."""
    for width in WIDTHS:
        visit.page.set_viewport_size({"width": width, "height": 900})
        assert visit.overflow() <= 0, (name, width)
        if SHOTS:
            visit.page.screenshot(path=f"{SHOTS}/{name}-{width}.png", full_page=True)
    assert visit.accessibility_problems() == [], name
