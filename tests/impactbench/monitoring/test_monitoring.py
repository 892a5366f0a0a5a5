"""`/monitoring`: what Prometheus reads, for whoever has the token."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from impactbench.common.models import OutgoingMail
from tests.support.builders import make_finished_run

pytestmark = pytest.mark.django_db
TOKEN = {"authorization": "Bearer let-me-in"}


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.MONITORING_TOKEN = "let-me-in"


def numbers(client: Client) -> dict[tuple[str, ...], float]:
    """Every number by its name and the values of its labels."""
    response = client.get("/monitoring", headers=TOKEN)
    assert response.status_code == 200
    families = text_string_to_metric_families(response.content.decode())
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer x"}, {"authorization": "Bearer "}])
def test_without_the_token_there_is_no_such_address(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/monitoring", headers=headers).status_code == 404


def test_without_a_setting_no_token_opens_it(client: Client, settings: Any) -> None:
    settings.MONITORING_TOKEN = ""

    assert client.get("/monitoring", headers={"authorization": "Bearer "}).status_code == 404


def test_open_run_is_told_by_the_state_of_its_conversations(client: Client) -> None:
    run = make_finished_run("pilot")
    type(run).objects.filter(pk=run.pk).update(state="running", finished_at=None)
    total = run.conversations.count()

    found = numbers(client)

    assert found["impactbench_runs", "running"] == 1
    told = {state: found["impactbench_run_conversations", "pilot", state] for state in ("done", "failed", "waiting")}
    assert told == {"done": total, "failed": 0, "waiting": 0}
    assert found["impactbench_run_workers", "pilot"] == 0


def test_run_that_is_over_is_counted_and_no_longer_told(client: Client) -> None:
    make_finished_run("pilot")

    found = numbers(client)

    assert found["impactbench_runs", "finished"] == 1
    assert [name for name in found if "pilot" in name] == []


def test_waiting_mail_is_counted_with_the_age_of_the_oldest(client: Client) -> None:
    for minutes in (1, 10):
        OutgoingMail.objects.create(
            event=f"{minutes}", kind="x", address="a@b.example", subject="s", text="t",
            created_at=timezone.now() - timedelta(minutes=minutes),
        )  # fmt: skip

    found = numbers(client)

    assert found["impactbench_mails_waiting",] == 2
    assert 600 <= found["impactbench_oldest_mail_seconds",] < 660


def test_requests_are_counted_by_part_and_status_and_by_nothing_else(client: Client) -> None:
    before = numbers(client)
    client.get("/metrics/")
    client.get("/api/v1/releases/")
    client.get("/metrics/nothing/like-it/")

    after = numbers(client)

    def more(*name: str) -> float:
        return after[name] - before.get(name, 0)

    assert more("impactbench_requests_total", "labels", "2xx") == 1
    assert more("impactbench_requests_total", "labels", "4xx") == 1
    assert more("impactbench_requests_total", "api", "2xx") == 1
    assert more("impactbench_request_seconds_count", "api") == 1
