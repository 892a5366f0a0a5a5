"""A run against an endpoint that fails in every way at once, and one limit kept by two workers."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings

from evaluation.engine.types import Message
from evaluation.llm.client import open_client
from evaluation.llm.configuration import ModelConfiguration
from evaluation.llm.limits import redis_for_limits, shared_limits
from evaluation.models import Conversation, Judgment, Turn
from evaluation.selectors.progress import run_progress, unjudged_reasons
from evaluation.services import planning, running
from evaluation.workers import circuit, conversation_work
from evaluation.workers.runner import work_on
from tests.support.llm_server import Call, Faults, ScriptedLLM
from tests.support.plans import make_small_benchmark, write_plan

FAULTS = Faults(p429=0.05, p500=0.05, pnone=0.05, pfence=0.5, phang=0.01, hang_seconds=30, retry_after="0", seed=3)


@pytest.fixture
def faulty() -> Iterator[ScriptedLLM]:
    with ScriptedLLM(faults=FAULTS) as scripted:
        yield scripted


@pytest.mark.django_db(transaction=True)
def test_fault_run_ends_finished_or_explained(
    faulty: ScriptedLLM, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_work, "SECONDS_BETWEEN_TRIES", 0.01)
    monkeypatch.setattr(circuit, "FIRST_REST_SECONDS", 0.05)
    settings.MODEL_CALLS = {
        "attempts": 5, "attempt_seconds": 0.5, "total_seconds": 5, "breaker_seconds": 0, "first_backoff_seconds": 0.01,
    }  # fmt: skip
    make_small_benchmark()
    plan = write_plan(tmp_path, faulty.url, targets=["target-a"], samples=10, turns=3)
    run, _ = planning.freeze(planning.load_plan(plan))

    work_on(running.start(run).pk)

    run.refresh_from_db()
    progress = run_progress(run)
    assert (run.state, progress.done) == ("finished", 40)
    assert set(unjudged_reasons(run)) <= {"target-empty", "simulator-empty", "judge-empty", "judge-unreadable"}
    assert Turn.objects.filter(reply="").count() == 0
    assert Judgment.objects.exclude(conversation__state=Conversation.State.FINISHED).count() == 0
    made = faulty.faults_made
    assert all(made[name] for name in ("429", "500", "none"))
    assert progress.retries >= made["429"] + made["500"]
    assert progress.calls == sum(faulty.counts.values())


def test_endpoint_counts_no_more_calls_of_two_workers_than_their_limit() -> None:
    with ScriptedLLM() as server:
        seen: list[str] = []
        server.script("limited", _noting(seen))
        seconds = asyncio.run(_two_workers(server.url))

    # A sixth of the minute's 180 at once, and what came back while it was watched.
    assert 30 <= len(seen) <= 30 + 1 + 2.6 * seconds


def _noting(seen: list[str]) -> Callable[[Call], None]:
    return lambda call: seen.append(call.model)


async def _two_workers(url: str) -> float:
    """Sixty calls asked for at once under one limit of 180 a minute; how long they were watched, in seconds."""
    configuration = ModelConfiguration(
        slug="limited-in-tests", litellm_model="openai/limited", api_base=url, requests_per_minute=180
    )
    redis = redis_for_limits(django_settings.CACHES["default"]["LOCATION"])
    await redis.delete("impactbench:limits:{limited-in-tests}:requests")
    clients = [open_client(configuration, limits=shared_limits(configuration, redis)) for _ in range(2)]
    began = time.monotonic()
    asking = [asyncio.create_task(client([Message("user", "Hello.")])) for client in clients for _ in range(30)]
    await asyncio.wait(asking, timeout=1)
    seconds = time.monotonic() - began
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    for client in clients:
        await client.close()
    await redis.aclose()
    return seconds
