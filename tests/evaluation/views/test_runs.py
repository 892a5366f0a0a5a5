"""The operators' pages: who may see them, what they show, what their buttons do."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Run
from evaluation.services import planning, running
from impactbench.accounts.models import User
from impactbench.accounts.services import create_account
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

    assert "0 of 8 conversations are done. No worker has taken it up yet." in page
    assert 'action="/runs/pilot/pause/"' in page
    assert 'action="/runs/pilot/cancel/"' in page
    assert 'action="/runs/pilot/resume/"' not in page
    assert operator.get("/runs/pilot/progress/").content.decode().strip() in page


def test_buttons_change_the_state_and_leave_a_trace(run: Run, operator: Client) -> None:
    for action, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        response = operator.post(f"/runs/pilot/{action}/")
        run.refresh_from_db()
        assert (response.status_code, run.state) == (302, state)

    page = operator.get("/runs/pilot/").content.decode()
    assert f"account {User.objects.get().pk}" in page
    assert "cancelled the run" in page
    assert operator.get("/runs/pilot/pause/").status_code == 405


def test_action_that_is_not_possible_is_explained(run: Run, operator: Client) -> None:
    response = operator.post("/runs/pilot/resume/", follow=True)

    assert "run pilot is running: resuming it is not possible." in response.content.decode()


def test_budget_can_be_changed_and_nonsense_is_refused(run: Run, operator: Client) -> None:
    operator.post("/runs/pilot/budget/", {"budget_usd": "60.50"})
    run.refresh_from_db()
    assert str(run.budget_usd) == "60.5000"
    assert "changed the budget from $25.00 to $60.50" in operator.get("/runs/pilot/").content.decode()

    response = operator.post("/runs/pilot/budget/", {"budget_usd": "-1"}, follow=True)
    run.refresh_from_db()
    assert str(run.budget_usd) == "60.5000"
    assert "The budget must be a number" in response.content.decode()


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
