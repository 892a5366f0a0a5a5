"""The operators' pages: who may see them, what they show, what their buttons do."""

import re
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.models import LanguageModel, Run, Turn
from evaluation.selectors.progress import run_progress
from evaluation.selectors.runs import rested
from evaluation.services import planning, running, worker_reports
from evaluation.services.worker_reports import CallsNow, calls_key, encoded_calls
from evaluation.views.run_words import Pace
from impactbench.accounts.models import User
from impactbench.accounts.services import create_account
from impactbench.common.models import AuditEvent
from tests.support.plans import make_small_benchmark, write_plan

URL = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tmp_path: Path) -> Run:
    make_small_benchmark()
    frozen, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, URL, budget_usd=25)))
    return running.start(frozen)


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(create_account(email="op@example.org", roles=["operator"])[0])
    return client


def test_strangers_are_asked_to_sign_in(run: Run) -> None:
    response = Client().get("/runs/pilot/")

    assert (response.status_code, response["Location"]) == (302, "/accounts/login/?next=/runs/pilot/")


@pytest.mark.parametrize("path", ["/runs/", "/runs/pilot/", "/runs/pilot/progress/"])
def test_others_learn_nothing(run: Run, path: str) -> None:
    client = Client()
    client.force_login(create_account(email="expert@example.org", roles=["expert", "editor"])[0])

    assert client.get(path).status_code == 404
    assert client.post("/runs/pilot/cancel/").status_code == 404
    run.refresh_from_db()
    assert run.state == "running"


def test_list_shows_runs_and_their_counts(run: Run, operator: Client) -> None:
    page = operator.get("/runs/").content.decode()

    assert "pilot" in page
    assert "0 of 8" in page
    assert "of $25" in page


def test_page_shows_progress_and_what_can_be_done(run: Run, operator: Client) -> None:
    page = operator.get("/runs/pilot/").content.decode()

    assert "0 of 8 conversations are done. No worker is at it. If none comes within a minute, pause the run" in page
    assert 'action="/runs/pilot/pause/"' in page
    assert 'action="/runs/pilot/cancel/"' in page
    assert 'action="/runs/pilot/resume/"' not in page


def test_what_is_fetched_again_is_what_the_page_shows(run: Run, operator: Client) -> None:
    page = re.sub("As of [0-9:]+", "", operator.get("/runs/pilot/").content.decode())

    fetched = re.sub("As of [0-9:]+", "", operator.get("/runs/pilot/progress/").content.decode())
    parts = [part.strip() for part in fetched.replace(' hx-swap-oob="true"', "").split("\n\n") if part.strip()]

    assert [part for part in parts if part not in page] == []
    assert re.findall(' id="(run-[a-z]+)"', fetched) == ["run-progress", "run-spending", "run-knowing", "run-log"]


def test_last_fetch_brings_what_can_be_done_with_a_run_that_ended(run: Run, operator: Client) -> None:
    Run.objects.update(state="finished")

    fetched = operator.get("/runs/pilot/progress/").content.decode()

    ids = ["run-progress", "run-spending", "run-knowing", "run-log", "run-head", "run-release"]
    assert re.findall(' id="(run-[a-z]+)"', fetched) == ids
    assert fetched.count('hx-swap-oob="true"') == 5
    assert "Publish as a release" in fetched
    assert "every 3s" not in fetched


def test_buttons_change_the_state_and_leave_a_trace(run: Run, operator: Client) -> None:
    for action, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        response = operator.post(f"/runs/pilot/{action}/")
        run.refresh_from_db()
        assert (response.status_code, run.state) == (302, state)

    page = operator.get("/runs/pilot/").content.decode()
    assert f"account {User.objects.get().pk}" in page
    User.objects.update(name="Olga <b>")
    assert "Olga &lt;b&gt;" in operator.get("/runs/pilot/").content.decode()
    assert "cancelled the run" in page
    assert operator.get("/runs/pilot/pause/").status_code == 405


def test_action_that_is_not_possible_is_explained(run: Run, operator: Client) -> None:
    response = operator.post("/runs/pilot/resume/", follow=True)

    assert "Run pilot is running: resuming it is not possible." in response.content.decode()


def test_budget_can_be_changed_and_nonsense_is_refused(run: Run, operator: Client) -> None:
    operator.post("/runs/pilot/budget/", {"budget_usd": "60.50"})
    run.refresh_from_db()
    assert str(run.budget_usd) == "60.5000"
    assert "changed the budget from $25.00 to $60.50" in operator.get("/runs/pilot/").content.decode()

    response = operator.post("/runs/pilot/budget/", {"budget_usd": "-1"}, follow=True)
    run.refresh_from_db()
    assert str(run.budget_usd) == "60.5000"
    assert "The budget must be a number" in response.content.decode()


def test_places_can_be_changed_and_nonsense_is_refused(run: Run, operator: Client) -> None:
    operator.post("/runs/pilot/concurrency/", {"concurrency": "12"})
    run.refresh_from_db()
    assert run.concurrency == 12
    page = operator.get("/runs/pilot/").content.decode()
    assert "changed the conversations in flight from 50 to 12" in page
    assert 'name="concurrency" value="12"' in page

    for nonsense in ("0", "1.5", "", "many", "1000000"):
        response = operator.post("/runs/pilot/concurrency/", {"concurrency": nonsense}, follow=True)
        assert "Conversations in flight must be a whole number from 1 to " in response.content.decode()
    run.refresh_from_db()
    assert run.concurrency == 12


def test_actions_need_the_token_of_the_page(run: Run, operator: Client) -> None:
    careful = Client(enforce_csrf_checks=True, headers={"cookie": ""})
    careful.cookies = operator.cookies

    assert careful.post("/runs/pilot/cancel/").status_code == 403


def test_list_needs_no_more_queries_for_more_runs(run: Run, operator: Client, tmp_path: Path) -> None:
    with CaptureQueriesContext(connection) as few:
        operator.get("/runs/")
    for name in ("second", "third"):
        planning.freeze(planning.load_plan(write_plan(tmp_path, URL, name=name)))

    with CaptureQueriesContext(connection) as more:
        operator.get("/runs/")

    assert len(more) == len(few)


def test_failures_stand_by_reason_with_examples_and_a_button_where_it_may_help(run: Run, operator: Client) -> None:
    first, second = run.conversations.order_by("pk")[:2]
    for conversation, reason, detail in ((first, "target-timeout", "<b>slow"), (second, "target-filtered", "")):
        run.conversations.filter(pk=conversation.pk).update(state="failed", reason=reason, detail=detail)

    page = operator.get("/runs/pilot/").content.decode()

    assert "2 without a verdict" in page
    assert page.count("Trying again may help.") == page.count("Trying again will not help.") == 1
    assert page.count('name="reason"') == page.count('name="reason" value="target-timeout"') == 1
    assert "Target A, autonomy/m01, scenario 1, Teens" in page
    assert "&lt;b&gt;slow" in page

    operator.post("/runs/pilot/again/", {"reason": "target-timeout"})
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("running", "failed")
    page = operator.get("/runs/pilot/").content.decode()
    assert "had failed ones tried again: 1 conversations and 0 judgments" in page
    refused = operator.post("/runs/pilot/again/", {"reason": "target-filtered"}, follow=True).content.decode()
    assert "Trying again does not change target-filtered; reasons that may pass: " in refused


def test_a_resting_model_says_so_and_until_when(run: Run, operator: Client) -> None:
    now = time.time()
    calls = {"target-b": CallsNow(1, 2, now + 60, 1, "rate-limited"), "judge": CallsNow(3, 4)}
    worker_reports._redis().hset(calls_key(run.pk), "worker", encoded_calls(now, calls))

    page = operator.get("/runs/pilot/").content.decode()
    worker_reports.forget_calls(run.pk)

    assert "its rate limit refuses every call. Only its own conversations wait." in page
    assert "Held back by a limit: 4 calls wait." in page
    assert '<td class="r" data-l="In flight"><b>3</b></td>' in page
    assert "Part of the rest waits for a model that rests." in page
    assert "1 worker at it" in page


def test_known_prices_of_a_turn_are_shown_where_the_other_one_is_unknown(run: Run, operator: Client) -> None:
    usage = {"simulator": {"calls": 3, "cost_usd": None}, "target": {"calls": 1, "cost_usd": "0.25"}}
    conversation = run.conversations.order_by("pk")[0]
    Turn.objects.create(conversation=conversation, number=1, user_message="Hi", reply="Yes", calls=4, usage=usage)

    page = operator.get("/runs/pilot/").content.decode()
    listed = operator.get("/runs/").content.decode()

    assert "<dt>spent, without unknown prices</dt><dd>$0.25</dd>" in page
    assert "<dt>counted against the budget of $25</dt><dd>$0.28</dd>" in page
    assert "$0.25" in listed


def test_run_without_money_says_what_to_do(run: Run, operator: Client) -> None:
    running.pause(run, reason=running.BUDGET_REACHED)

    page = operator.get("/runs/pilot/").content.decode()

    assert "The budget is used up as far as it can be counted. Raise it below under “Money and pace”" in page


def test_run_whose_key_no_worker_has_does_not_begin(run: Run, operator: Client) -> None:
    running.pause(run)
    LanguageModel.objects.filter(slug="target-b").update(api_key_env="TARGET_B_KEY")
    worker_reports.report_keys("worker", ["OTHER_KEY"])

    refused = operator.post("/runs/pilot/resume/", follow=True).content.decode()
    run.refresh_from_db()
    state = run.state
    worker_reports.report_keys("worker", ["TARGET_B_KEY"])
    operator.post("/runs/pilot/resume/")
    run.refresh_from_db()
    worker_reports.forget_keys("worker")

    assert "The environment variable TARGET_B_KEY of model target-b is not set in any worker; set it where" in refused
    assert (state, run.state) == ("paused", "running")


def test_time_left_leaves_pauses_out(run: Run) -> None:
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(started_at=now - timedelta(hours=3))
    run.refresh_from_db()
    for action, minutes in (("run-pause", 170), ("run-resume", 10)):
        at = now - timedelta(minutes=minutes)
        AuditEvent.objects.create(at=at, action=action, target_type="evaluation.run", target_id=str(run.pk))

    left = Pace(run, replace(run_progress(run), turns=10)).left

    assert rested(run) == timedelta(minutes=160)
    assert left == "about 48 min"  # 24 steps to come, at 10 in 20 minutes
