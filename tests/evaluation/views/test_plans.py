"""The form at /runs/: estimate, save, start, and one clear message beside each wrong field."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from evaluation.models import LanguageModel, Run
from evaluation.services import planning, worker_reports
from impactbench.accounts.services import create_account
from impactbench.common.models import AuditEvent
from tests.support.builders import make_model
from tests.support.plans import FORM_FIELDS, make_small_benchmark, write_plan

URL = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db
FIELDS = {
    "name": "from-the-page",
    **FORM_FIELDS,
    "anchors": "on",
    "adversarial_guidance": "on",
    "typing_edits": "on",
}


@pytest.fixture
def models(tmp_path: Path) -> None:
    """The small benchmark, and the four models of its plan, registered by another run."""
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, URL, name="earlier")))


@pytest.fixture
def operator(models: None) -> Client:
    client = Client()
    client.force_login(create_account(email="op@example.org", roles=["operator"])[0])
    return client


@pytest.fixture
def worker() -> Iterator[None]:
    """A worker that has one key."""
    worker_reports.report_keys("tests:1:x", ["HIS_KEY"])
    yield
    worker_reports.forget_keys("tests:1:x")


def _post(client: Client, action: str, **changes: Any) -> Any:
    return client.post("/runs/", {**FIELDS, **changes, "action": action})


def test_estimate_answers_with_low_middle_and_high_and_makes_nothing(operator: Client) -> None:
    page = _post(operator, "estimate").content.decode()

    assert 'class="p-bigline">Likely $0.' in page
    assert "8 conversations: 2 metrics, 4 scenarios, 2 targets, 1 conversation for each. No call has been made." in page
    assert page.count('data-l="Middle, $"') == 5
    assert "Start the run, up to $25.00" in page
    assert Run.objects.count() == 1


def test_unknown_price_says_unknown_and_counts_at_its_ceiling(operator: Client) -> None:
    LanguageModel.objects.filter(slug="target-b").update(input_usd_per_million=None)

    page = _post(operator, "estimate", budget_usd="0.1").content.decode()

    assert "and Target B on top." in page
    assert page.count('<span class="quiet">unknown</span>') == 3
    assert "The price of Target B is unknown. Its calls count at the ceiling of $0.01 each, " in page
    assert "the budget of $0.10 may pause the run at about " in page


def test_start_makes_the_same_run_as_a_plan_file(operator: Client, tmp_path: Path) -> None:
    response = _post(operator, "start")

    run = Run.objects.get(slug="from-the-page")
    assert (response.status_code, response["Location"], run.state) == (302, "/runs/from-the-page/#main", "running")
    again, is_new = planning.freeze(
        planning.load_plan(write_plan(tmp_path, URL, name="from-the-page", budget_usd=25, concurrency=5))
    )
    assert (again, is_new) == (run, False)
    assert {"run-planned", "run-start"} == set(
        AuditEvent.objects.filter(target_name="from-the-page", actor__isnull=False).values_list("action", flat=True)
    )


def test_saved_plan_waits_until_somebody_starts_it(operator: Client) -> None:
    _post(operator, "save")

    run = Run.objects.get(slug="from-the-page")
    assert run.state == "created"
    assert 'action="/runs/from-the-page/start/"' in operator.get("/runs/from-the-page/").content.decode()

    operator.post("/runs/from-the-page/start/")
    run.refresh_from_db()
    assert run.state == "running"


def test_taken_name_is_refused_at_the_estimate_already(operator: Client) -> None:
    _post(operator, "save", name="earlier")

    same, other = _post(operator, "estimate", name="earlier"), _post(operator, "estimate", name="earlier", turns="3")

    assert (same.status_code, other.status_code) == (200, 422)
    assert "Run earlier exists with another plan: " in other.content.decode()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "two words"}, "Use letters, digits and single hyphens between them, for example health-pilot."),
        ({"benchmarks": []}, "Choose a suite, benchmarks or single metrics."),
        ({"metrics": "autonomy/m01"}, "Choose only one of a suite, benchmarks and single metrics"),
        ({"benchmarks": [], "metrics": "autonomy/m1"}, "There is no metric &#x27;autonomy/m1&#x27;; did you mean"),
        ({"targets": []}, "Choose at least one model."),
        ({"targets": ["<b>"]}, "Select a valid choice. &lt;b&gt; is not one of the available choices."),
        ({"suite": "health@9", "benchmarks": []}, "Select a valid choice. health@9 is not one of the available"),
        ({"benchmarks": ["autonomie"]}, "Select a valid choice. autonomie is not one of the available choices."),
        ({"user_simulator": "nobody"}, "Select a valid choice. nobody is not one of the available choices."),
        ({"judge": ["nobody"]}, "Select a valid choice. nobody is not one of the available choices."),
        ({"turns": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"turns": "51"}, "Ensure this value is less than or equal to 50."),
        ({"budget_usd": "0.0001"}, "A budget of $0.0001 does not pay for the first call"),
        ({"budget_usd": "0"}, "A budget of $0 does not pay for the first call"),
        ({"budget_usd": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"seed": "x"}, "Enter a whole number."),
        ({"name": "earlier", "turns": "3"}, "Run earlier exists with another plan: "),
    ],
)
def test_wrong_field_gets_one_message_and_nothing_is_lost(
    operator: Client, changes: dict[str, Any], problem: str
) -> None:
    response = _post(operator, "start", **changes)

    page = response.content.decode()
    assert response.status_code == 422
    assert page.count(problem) == 2, "once in the summary, once at the field"
    assert ('value="simulator" selected' in page) is ("user_simulator" not in changes)
    assert 'value="judge" checked' in page or "judge" in changes
    assert Run.objects.count() == 1


def test_model_whose_key_no_worker_has_cannot_be_chosen(operator: Client, worker: None) -> None:
    make_model("locked", litellm_model="openai/locked", api_key_env="HER_KEY")
    make_model("open", litellm_model="openai/open", api_key_env="HIS_KEY")

    page = operator.get("/runs/").content.decode()
    refused = _post(operator, "start", targets=["locked", "open"]).content.decode()

    assert page.count("no worker has its key HER_KEY") == 2
    assert "no worker has its key HIS_KEY" not in page
    assert "locked: no worker has its key her_key. give it to a worker, or leave it out." in refused.lower()
    assert Run.objects.count() == 1


def test_page_asks_no_more_for_more_models(operator: Client, django_assert_num_queries: Any) -> None:
    operator.get("/runs/")
    with django_assert_num_queries(9):
        operator.get("/runs/")
    make_model("another", litellm_model="openai/another")

    with django_assert_num_queries(9):
        operator.get("/runs/")
