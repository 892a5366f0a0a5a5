"""Runs that lost their workers: whom they are asked of again, and when not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import current_app

from evaluation.models import Run
from evaluation.services import planning, running, worker_reports
from evaluation.services.abandoned_runs import ask_again
from evaluation.services.worker_reports import calls_key, encoded_calls
from tests.support.plans import make_small_benchmark, write_plan

QUEUE = "impactbench.run.pilot"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A running run that was left to two workers, whose messages the broker lost."""
    make_small_benchmark()
    run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, "http://127.0.0.1:9")))
    running.start(run)
    running.enqueue(run.pk, queue=QUEUE, runners=2)
    _lose_messages(run)
    yield run
    _lose_messages(run)


def test_a_run_without_workers_is_asked_for_again_and_once(run: Run) -> None:
    assert ask_again([QUEUE, "portal"]) == {"pilot": 0}
    assert _messages() == 2

    assert ask_again([QUEUE]) == {}
    assert _messages() == 2


def test_only_the_missing_workers_are_asked_for(run: Run) -> None:
    redis = worker_reports._redis()
    now = worker_reports._now(redis)
    redis.hset(calls_key(run.pk), "alive", encoded_calls(now, {}))
    redis.hset(calls_key(run.pk), "killed", encoded_calls(now - 60, {}))

    assert ask_again([QUEUE]) == {"pilot": 1}
    assert _messages() == 1


def test_runs_of_other_workers_and_paused_ones_are_left_alone(run: Run) -> None:
    assert ask_again(["impactbench"]) == {}

    running.pause(run)

    assert ask_again([QUEUE]) == {}
    assert _messages() == 0


def test_workers_of_the_last_who_asked_are_asked_again(run: Run) -> None:
    running.enqueue(run.pk, queue=f"{QUEUE}.standing", runners=1)
    _lose_messages(run)

    assert ask_again([QUEUE]) == {}
    assert ask_again([f"{QUEUE}.standing"]) == {"pilot": 0}


def _messages() -> int:
    with current_app.connection_for_read() as connection:
        return int(connection.default_channel.client.llen(QUEUE))  # type: ignore[attr-defined]


def _lose_messages(run: Run) -> None:
    with current_app.connection_for_read() as connection:
        connection.default_channel.client.delete(QUEUE, f"{QUEUE}.standing")  # type: ignore[attr-defined]
    worker_reports._redis().delete(calls_key(run.pk), worker_reports._asked_key(run.pk))
