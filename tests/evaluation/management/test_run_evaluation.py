"""The commands as people give them: real processes, real Celery workers, kill -9 included."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evaluation.models import Conversation, Judgment, LanguageModel, Run, Turn
from evaluation.selectors.runs import events_of
from evaluation.services import planning
from tests.support.commands import ROOT, command, environment, finished
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import PARTS, make_small_benchmark, planned_model, write_plan

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM(latency_ms=40) as scripted:
        yield scripted


def test_whole_run_and_the_same_plan_again(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    plan, report = write_plan(tmp_path, server.url), tmp_path / "report.json"

    code, out, err = finished("run_evaluation", plan, "--workers", "1", "--json", report, home=tmp_path)

    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("run pilot finished: 8 of 8 conversations, 8 judgments, 40 calls")
    first = json.loads(report.read_text())
    assert {
        key: first[key] for key in ("run", "state", "conversations", "turns", "judgments", "unjudged", "calls")
    } == {
        "run": "pilot",
        "state": "finished",
        "conversations": 8,
        "turns": 16,
        "judgments": 8,
        "unjudged": {},
        "calls": 40,
    }

    call_command("run_evaluation", plan, json=report, stdout=StringIO())

    assert json.loads(report.read_text()) == first
    assert sum(server.counts.values()) == 40


def test_changed_plan_under_a_known_name_is_refused(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, server.url)))

    with pytest.raises(CommandError) as refused:
        call_command("run_evaluation", write_plan(tmp_path, server.url, turns=3))

    assert refused.value.returncode == 2
    assert str(refused.value) == (
        "run pilot exists with another plan: turns was 2 and is 3. Undo the change, or give the plan another name"
    )


def test_kill_nine_of_everything_loses_and_doubles_nothing(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    plan = write_plan(tmp_path, server.url, turns=6, samples=3, concurrency=10)
    first = command("run_evaluation", plan, "--workers", "2", home=tmp_path)
    _wait_until(lambda: Turn.objects.count() > 30)
    workers = _children(first.pid)
    in_flight = Conversation.objects.exclude(lease_owner="").count()

    for pid in (first.pid, *workers):
        os.kill(pid, signal.SIGKILL)
    first.communicate()
    began = time.monotonic()
    code, out, err = finished("run_evaluation", plan, "--workers", "1", home=tmp_path)

    assert (code, err) == (0, ""), out
    assert len(workers) == 2
    assert time.monotonic() - began < 60
    assert (Turn.objects.count(), Judgment.objects.count()) == (24 * 6, 24)
    assert Conversation.objects.filter(state="finished", is_judged=True).count() == 24
    repeated = sum(server.counts.values()) - 24 * 13
    assert 0 <= repeated <= 2 * max(in_flight, 20)


def test_workers_go_when_their_command_is_killed(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    plan = write_plan(tmp_path, server.url, turns=6, samples=5, concurrency=2)
    first = command("run_evaluation", plan, "--workers", "1", home=tmp_path)
    _wait_until(lambda: Turn.objects.count() > 2)
    workers = _children(first.pid)

    first.kill()
    first.communicate()

    _wait_until(lambda: not any(_is_alive(pid) for pid in workers))
    assert Conversation.objects.exclude(lease_owner="").count() == 0
    run = Run.objects.get()
    assert run.state == "running"


def test_standing_worker_pause_and_resume(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    plan = write_plan(tmp_path, server.url, turns=6, samples=2, concurrency=4)
    run, _ = planning.freeze(planning.load_plan(plan))
    worker = _standing_worker(tmp_path)
    try:
        call_command("run_evaluation", plan, workers=0, no_wait=True, stdout=StringIO())
        _wait_until(lambda: Turn.objects.count() > 2)
        call_command("pause_run", "pilot", stdout=StringIO())
        _wait_until(lambda: not Conversation.objects.exclude(lease_owner="").exists())
        assert Turn.objects.count() < 16 * 6

        call_command("resume_run", "pilot", stdout=StringIO())
        _wait_until(lambda: Run.objects.get().state == "finished")
    finally:
        worker.terminate()
        worker.communicate(timeout=60)

    assert sum(server.counts.values()) == 16 * 13
    assert [event.action for event in events_of(run)] == [
        "run-finish",
        "run-resume",
        "run-pause",
        "run-start",
        "run-planned",
    ]


def test_nothing_is_written_while_a_key_is_missing(
    server: ScriptedLLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MISTYPED_KEY", raising=False)
    make_small_benchmark()
    models = [{**planned_model(part, server.url), "api_key_env": "MISTYPED_KEY"} for part in PARTS]
    plan = write_plan(tmp_path, server.url, models=models)

    with pytest.raises(CommandError, match="MISTYPED_KEY of model simulator is not set") as refused:
        call_command("run_evaluation", plan)

    assert refused.value.returncode == 1
    assert (Run.objects.count(), LanguageModel.objects.count()) == (0, 0)


def test_report_that_cannot_be_written_is_refused_before_any_call(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    plan = write_plan(tmp_path, server.url)

    with pytest.raises(CommandError, match="name a file in an existing folder") as refused:
        call_command("run_evaluation", plan, json=tmp_path / "nowhere" / "report.json")

    assert refused.value.returncode == 2
    assert (Run.objects.count(), server.counts.total()) == (0, 0)


def test_status_and_cancel(server: ScriptedLLM, tmp_path: Path) -> None:
    make_small_benchmark()
    planning.freeze(planning.load_plan(write_plan(tmp_path, server.url)))
    out = StringIO()

    call_command("cancel_run", "pilot", stdout=out)
    call_command("run_status", "pilot", stdout=out)

    assert out.getvalue().splitlines() == [
        "run pilot cancelled",
        "run pilot cancelled: 0 of 8 conversations, 0 judgments, 0 calls (0 repeated), $0.0000, 0 s",
    ]
    with pytest.raises(CommandError, match="run pilot was cancelled; give the plan another name"):
        call_command("run_evaluation", tmp_path / "pilot.yaml")
    with pytest.raises(CommandError, match="run pilot is cancelled: pausing it is not possible"):
        call_command("pause_run", "pilot")
    with pytest.raises(CommandError, match="there is no run 'nobody'"):
        call_command("run_status", "nobody")


def _standing_worker(home: Path) -> "subprocess.Popen[Any]":
    celery = [sys.executable, "-m", "celery", "-A", "impactbench", "worker", "-c", "1", "--loglevel", "ERROR"]
    return subprocess.Popen(
        celery,
        cwd=ROOT,
        env={**os.environ, **environment(home), "CELERY_SKIP_CHECKS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _wait_until(is_true: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


def _children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
