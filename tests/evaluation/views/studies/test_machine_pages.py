"""The pages of a study by machine: what it would take, starting it, how far it is, its analysis."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Run, Study
from evaluation.workers import runner
from evaluation.workers.auditing import audit_study
from impactbench.accounts.models import User
from impactbench.common.errors import DomainError
from tests.support.frozen import nothing_is_frozen
from tests.support.llm_server import Behaviour, ScriptedLLM
from tests.support.machine_studies import make_machine_study, make_pilot, work_off
from tests.support.portal import make_person
from tests.support.studies import the_run

IMPORTED = (
    "Imported results (run) have no plan, and models that nobody here can ask, so no judge can be asked again "
    "about them: choose runs that were held here."
)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        read = {"number": 1, "reason": "As it is.", "covered": True, "turn": 1}
        scripted.script("auditor", lambda _: Behaviour.json({"objectives": [read]}))
        yield scripted


@pytest.fixture
def pilot(server: ScriptedLLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.02)
    return make_pilot(server, tmp_path)


@pytest.fixture
def operator() -> User:
    return make_person("Olga", "operator")


def _client(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def _page(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_operator_starts_an_ablation_and_reads_its_analysis(pilot: Run, operator: User) -> None:
    study = make_machine_study(operator, "simulator-ablation", pilot, switches=["typing_edits"])
    client, address = _client(operator), f"/studies/{study.public_id}/"

    before = _page(client.get(address))
    refused = client.post(f"{address}runs/", {"a": "start", "budget_usd": "-1", "auditor": ""})
    given = {"budget_usd": "5", "auditor": "auditor"}
    untold = _page(client.post(f"{address}runs/", {"a": "start", **given}))
    told = _page(client.post(f"{address}runs/", {"a": "estimate", **given}))
    begun = client.post(f"{address}runs/", {"a": "start", "estimated": "auditor", **given})

    assert "2 runs, 8 new conversations and 40 calls: likely $0.03, between $0.01 and $0.03." in before
    assert "<summary>All parts: Likely $" in before
    assert "The auditor is not in these numbers yet" in before
    for page in (untold, told):
        assert "2 runs, 8 new conversations and 48 calls, with the auditor: likely $0." in page
        assert "It reads each of 8 conversations once. No call has been made." in page
        assert '<input type="hidden" name="estimated" value="auditor">' in page
    assert "is in the numbers above now. Look at them and start again." in untold
    assert "start again" not in told
    assert "4 conversations: 2 metrics, 2 scenarios, 1 target, 2 conversations for each. No call" in before
    assert "It begins when “All parts” is over" in before
    assert (refused.status_code, Run.objects.count()) == (422, 3)
    assert "Choose the model that audits the conversations." in _page(refused)
    assert begun.headers["Location"] == address
    study.refresh_from_db()
    assert (study.state, study.budget_usd, study.auditor) == ("open", Decimal(5), study.auditor)
    assert "Waits for: All parts" in _page(client.get(address))

    of_run = _page(client.get(f"/runs/{study.public_id}-1-as-set/"))
    assert "Run for the study <a" in of_run
    assert "Publish it" not in of_run

    work_off(study)
    during = _page(client.get(address))
    assert "auditor</dt>" not in during
    assert "Auditor has read 0 conversations, of which 0 brought no answer that could be read; 8 wait." in during
    assert "the 8 conversations that the auditor has not read would be left out" in during
    client.post(f"{address}runs/", {"a": "budget", "budget_usd": ""})
    study.refresh_from_db()
    assert (study.budget_usd, audit_study(study)) == (None, 8)
    live = _page(client.get(f"{address}analysis/"))
    for action in ("close", "publish"):
        client.post(f"{address}act/", {"a": action})
    frozen = _page(client.get(f"{address}analysis/"))

    assert "8 verdicts on 8 conversations; 0 unjudged." in live
    assert "Live: it changes with each conversation" in live
    assert '<th scope="row">Objectives that the user covered</th><td>All parts</td><td>Both kinds</td>' in frozen
    assert Study.objects.get().state == "published"
    public = _page(Client().get(f"/methodology/studies/{study.public_id}/"))
    assert "Parts of the simulated user" in public


def test_editor_sees_what_it_would_take_and_cannot_start_it(pilot: Run, operator: User) -> None:
    study = make_machine_study(operator, "judge-repeatability", pilot)
    client = _client(make_person("Edda", "editor"))
    address = f"/studies/{study.public_id}/"

    page = _page(client.get(address))

    assert "The saved conversations are read by the judge. No conversation is held anew." in page
    assert "An operator starts the runs." in page
    assert client.post(f"{address}runs/", {"a": "start"}).status_code == 404
    client.post(f"{address}act/", {"a": "open"})
    study.refresh_from_db()
    assert study.state == "draft"


def test_page_says_why_runs_cannot_be_planned(pilot: Run, operator: User) -> None:
    study = make_machine_study(operator, "judge-comparison", pilot, judges=["judge"])

    page = _page(_client(operator).get(f"/studies/{study.public_id}/"))

    assert "These runs cannot be planned." in page
    assert "A comparison needs two judges or more" in page


@pytest.mark.parametrize("kind", ["judge-repeatability", "judge-comparison", "repeat-simulations"])
def test_every_kind_shows_its_tables(pilot: Run, operator: User, kind: str) -> None:
    study = make_machine_study(operator, kind, pilot)
    client, address = _client(operator), f"/studies/{study.public_id}/"
    client.post(f"{address}runs/", {"a": "start", "budget_usd": ""})
    work_off(study)

    page = _page(client.get(f"{address}analysis/"))
    document = client.get(f"{address}study.json").json()

    heading = {
        "judge-repeatability": "The judge asked again, by metric",
        "judge-comparison": "What another judge would change",
        "repeat-simulations": "How often a verdict changes, by metric",
    }[kind]
    assert heading in page
    n = {"judge-repeatability": 24, "judge-comparison": 16, "repeat-simulations": 8}[kind]
    assert (len(document["judgments"]), document["coverage"]) == (n, [])


@pytest.mark.parametrize(
    ("kind", "why", "names"),
    [
        ("evaluation", "The plan of run is not whole, so it cannot be run again.", "run"),
        ("imported", IMPORTED, "run (imported: cannot be run again)"),
    ],
)
def test_results_without_a_plan_are_refused_where_a_study_is_designed(
    operator: User, kind: str, why: str, names: str
) -> None:
    run, client = the_run(), _client(operator)
    with nothing_is_frozen():
        Run.objects.update(kind=kind)
    run.refresh_from_db()
    given = {"title": "Again", "runs": run.slug, "release": "", "seed": "1", "n-n_metrics": "1"}
    numbers = {"n-n_scenarios": "1", "n-n_targets": "1", "n-repeats": "2"}

    refused = client.post("/studies/new/?kind=repeat-simulations", {**given, **numbers, "a": "draw"})
    kept = client.post("/studies/new/?kind=repeat-simulations", {**given, **numbers, "a": "keep"})

    assert (refused.status_code, kept.status_code, Study.objects.count()) == (422, 422, 0)
    assert (_page(refused).count(f"<li>{why}</li>"), _page(kept).count(f"<li>{why}</li>")) == (1, 1)
    assert f"<span>{names}</span>" in _page(refused)
    with pytest.raises(DomainError, match=re.escape(why)):
        make_machine_study(operator, "repeat-simulations", run)
