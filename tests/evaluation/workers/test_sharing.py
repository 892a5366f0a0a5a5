"""Runs that share one worker: slices that end early for others, and places that are changed meanwhile."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from celery import current_app

from evaluation.models import Run, Turn
from evaluation.services import planning, running
from evaluation.tasks import run_evaluation
from evaluation.workers import runner
from evaluation.workers.runner import work_on
from evaluation.workers.waiting import Queue
from tests.support.llm_server import Behaviour, Call, ScriptedLLM
from tests.support.other_threads import in_a_thread
from tests.support.plans import make_small_benchmark, write_plan

QUEUE = "sharing-in-tests"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """An empty queue of our own, and slices that are short."""
    monkeypatch.setattr(runner, "SECONDS_BEFORE_OTHERS", 0.2)
    monkeypatch.setattr(runner, "_SECONDS_BETWEEN_LOOKS_FOR_OTHERS", 0.1)
    monkeypatch.setattr(runner, "_SECONDS_BETWEEN_LOOKS", 0.05)
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.05)
    settings.MODEL_CALLS = {"attempts": 2, "attempt_seconds": 2, "total_seconds": 4, "breaker_seconds": 0}
    with current_app.connection_for_write() as connection:
        channel: Any = connection.default_channel
        channel.queue_declare(QUEUE)
        channel.queue_purge(QUEUE)
        yield
        channel.queue_purge(QUEUE)


def _started(folder: Path, server: ScriptedLLM, name: str, **changes: Any) -> Run:
    plan = write_plan(folder, server.url, name=name, targets=["target-a"], concurrency=2, **changes)
    return running.start(planning.freeze(planning.load_plan(plan))[0])


def _work_like_one_worker() -> None:
    """Takes one message after the other, until there is none."""
    with current_app.connection_for_read() as connection, connection.SimpleQueue(QUEUE) as messages:
        while True:
            try:
                message = messages.get(timeout=0.2)
            except Empty:
                return
            _, arguments, _ = message.payload
            run_evaluation.apply(kwargs=arguments, routing_key=QUEUE).get()
            message.ack()


def test_two_runs_share_one_worker_and_no_call_is_repeated(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    server.script("target-a", lambda _: Behaviour(text="One step at a time.", hangs_seconds=0.08))
    runs = [_started(tmp_path, server, name, turns=6) for name in ("first", "second")]
    for run in runs:
        running.enqueue(run.pk, queue=QUEUE, runners=1)

    _work_like_one_worker()

    order = Turn.objects.order_by("pk").values_list("conversation__run__slug", flat=True)
    stretches = [slug for slug, _ in groupby(order)]
    assert len(stretches) >= 4
    assert stretches[:4] == ["first", "second", "first", "second"]
    assert set(Run.objects.values_list("state", flat=True)) == {"finished"}
    assert dict(server.counts) == {"simulator": 48, "target-a": 48, "judge": 8}


def test_run_that_is_alone_goes_on_beside_further_messages_of_its_own(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    run = _started(tmp_path, server, "alone")
    other = _started(tmp_path, server, "other")
    running.enqueue(run.pk, queue=QUEUE, runners=2)
    messages = Queue(QUEUE)

    alone = messages.holds_another_run(run.pk)
    running.enqueue(other.pk, queue=QUEUE, runners=1)

    assert (alone, messages.holds_another_run(run.pk), messages.holds_another_run(other.pk)) == (False, True, True)
    messages.close()


def test_places_that_are_changed_meanwhile_are_taken_over_at_once(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    run = _started(tmp_path, server, "more", samples=5, turns=3)

    def change_at_fourth(_: Call) -> Behaviour:
        if server.counts["target-a"] == 4:
            in_a_thread(lambda: running.change_concurrency(run, 10))
        return Behaviour(text="One step at a time.", hangs_seconds=0.15)

    server.script("target-a", change_at_fourth)

    work_on(run.pk)

    assert server.most_in_flight > 4
    assert run.conversations.filter(is_judged=True).count() == 20


@pytest.mark.parametrize("before", ["100", None])
def test_budget_that_is_lowered_meanwhile_pauses_the_run(
    server: ScriptedLLM, tmp_path: Path, before: str | None
) -> None:
    make_small_benchmark()
    budget = {} if before is None else {"budget_usd": float(before)}
    run = _started(tmp_path, server, "dearer", samples=5, turns=3, **budget)

    def lower_at_fourth(_: Call) -> Behaviour:
        if server.counts["target-a"] == 4:
            in_a_thread(lambda: running.raise_budget(run, Decimal(0)))
        return Behaviour(text="One step at a time.", hangs_seconds=0.15)

    server.script("target-a", lower_at_fourth)

    end = work_on(run.pk)
    if end is runner.End.SLICE_OVER:
        end = work_on(run.pk)

    run.refresh_from_db()
    assert (end, run.state, run.state_reason) == (
        runner.End.NOT_RUNNING,
        "paused",
        "the next calls might pass the budget",
    )
    assert server.counts["target-a"] < 10
