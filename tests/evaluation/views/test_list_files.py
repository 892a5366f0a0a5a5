"""The lists of runs and of studies as files, for those who see the lists."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Run
from tests.support.builders import make_run
from tests.support.portal import make_person
from tests.support.studies import make_study

pytestmark = pytest.mark.django_db


def signed_in(*roles: str) -> Client:
    client = Client()
    client.force_login(make_person("Op Erator", *roles))
    return client


def read(client: Client, address: str) -> Any:
    answer: Any = client.get(address)
    content = b"".join(answer.streaming_content)
    if address.endswith("json"):
        return json.loads(content)["rows"]
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_list_of_runs_is_a_file() -> None:
    run, client = make_run(), signed_in("operator")
    Run.objects.filter(pk=run.pk).update(budget_usd="12.50")

    [row], [cells] = read(client, "/runs/runs.json"), read(client, "/runs/runs.csv")

    assert (row["run"], row["state"], row["budget_usd"], row["spent_usd"]) == (run.slug, run.state, 12.5, 0.0)
    assert (cells["run"], cells["budget_usd"], list(cells)) == (run.slug, "12.5", list(row))
    assert client.get("/runs/runs.xlsx").status_code == 200
    assert 'href="/runs/runs.csv"' in client.get("/runs/").content.decode()


def test_spending_of_a_run_and_agreement_of_judges_are_files() -> None:
    run, client = make_run(), signed_in("operator")

    spent = client.get(f"/runs/{run.slug}/spending.csv")
    judges: Any = client.get("/studies/calibration/judges.csv")

    assert (spent.status_code, read(client, "/studies/calibration/judges.json")) == (200, [])
    assert b"".join(judges.streaming_content).decode() == (
        '\ufeff"judge","model","prompt_hash","n","agreement","ci_low","ci_high","n_unjudged","least","setting","answer"\r\n'
    )
    assert client.get("/runs/nowhere/spending.csv").status_code == 404


def test_list_of_studies_is_a_file_of_those_that_one_may_run() -> None:
    study, client = make_study(make_person("Ed Editor", "editor")), signed_in("operator")

    [row] = read(client, "/studies/studies.json")

    assert (row["study"], row["title"], row["kind"], row["items"], row["ratings"]) == (
        study.public_id, study.title, study.kind, study.items.count(), 0,
    )  # fmt: skip
    assert 'href="/studies/studies.json"' in client.get("/studies/").content.decode()
