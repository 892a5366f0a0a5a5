"""An operator's way through /runs/ by forms alone, as a browser without JavaScript sends them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Release, Run
from evaluation.services import planning, publishing
from evaluation.tasks import publish_what_waits
from evaluation.workers import conversation_work, runner
from evaluation.workers.runner import work_on
from impactbench.accounts.services import create_account
from tests.support.llm_server import Behaviour, ScriptedLLM
from tests.support.plans import FORM_FIELDS, make_small_benchmark, write_plan

pytestmark = pytest.mark.django_db(transaction=True)
PLAN = {"name": "pilot", **FORM_FIELDS}


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


class Operator:
    """Somebody who reads pages and presses buttons of forms that are on them."""

    def __init__(self) -> None:
        self._client = Client()
        self._client.force_login(create_account(email="op@example.org", roles=["operator"])[0])
        self.page = ""

    def reads(self, address: str) -> str:
        self.page = self._client.get(address).content.decode()
        return self.page

    def sends(self, address: str, fields: dict[str, Any]) -> str:
        """A form of the page that is open, which must be there; the page that follows."""
        assert re.search(f'<form method="post" action="{address}(#[a-z-]+)?"', self.page), f"no form leads to {address}"
        self.page = self._client.post(address, fields, follow=True).content.decode()
        return self.page


def test_operator_needs_no_javascript_from_an_estimate_to_a_published_release(
    server: ScriptedLLM, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MODEL_CALLS = {"attempts": 1, "attempt_seconds": 2, "total_seconds": 4, "breaker_seconds": 0}
    monkeypatch.setattr(conversation_work, "SECONDS_BETWEEN_TRIES", 0.01)
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.05)
    monkeypatch.setattr(publishing, "RESAMPLES", 50)
    server.script("target-b", [Behaviour.rubbish()] * 4)
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, server.url, name="earlier")))
    operator = Operator()

    operator.reads("/runs/")
    assert "8 conversations: 2 metrics, 4 scenarios, 2 targets" in operator.sends(
        "/runs/", {**PLAN, "action": "estimate"}
    )
    assert "pilot was started." in operator.sends("/runs/", {**PLAN, "action": "start"})
    assert "Paused" in operator.sends("/runs/pilot/pause/", {})
    assert "from $25.00 to $50.00" in operator.sends("/runs/pilot/budget/", {"budget_usd": "50"})
    assert "in flight from 5 to 8" in operator.sends("/runs/pilot/concurrency/", {"concurrency": "8"})
    assert "pilot: running." in operator.sends("/runs/pilot/resume/", {})
    run = Run.objects.get(slug="pilot")
    work_on(run.pk)

    assert "4 without a verdict" in operator.reads("/runs/pilot/")
    assert "4 conversations and 0 judgments are tried again." in operator.sends(
        "/runs/pilot/again/", {"reason": "target-bad-reply"}
    )
    work_on(run.pk)

    assert "8 of 8 conversations are done." in operator.reads("/runs/pilot/")
    assert "without a verdict</h2>" not in operator.page
    assert "Release 2026-11 waits for a worker" in operator.sends("/runs/pilot/release/", {"slug": "2026-11"})
    publish_what_waits()

    assert 'Published as <a href="/releases/2026-11/">' in operator.reads("/runs/pilot/")
    release = Release.objects.get()
    assert (release.n_judged, release.n_unjudged) == (8, 0)
    assert "November 2026" in Client().get("/releases/2026-11/").content.decode()
