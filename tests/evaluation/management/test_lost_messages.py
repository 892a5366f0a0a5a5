"""Runs go on by themselves when the broker lost their messages or a worker took one into its grave; real workers."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings

from evaluation.models import Run, Turn
from evaluation.services import planning, running, worker_reports
from tests.bench.processes import tree
from tests.support.commands import ROOT, command, environment
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import make_small_benchmark, write_plan

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]


def test_a_worker_takes_up_a_run_that_nobody_works_on(tmp_path: Path) -> None:
    make_small_benchmark()
    with ScriptedLLM() as server:
        run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, server.url)))
        running.start(run)
        running.enqueue(run.pk)
        _lose(settings.CELERY_TASK_DEFAULT_QUEUE)

        worker = _standing_worker(tmp_path)
        try:
            _wait_until(lambda: Run.objects.get().state == Run.State.FINISHED)
        finally:
            worker.terminate()
            worker.wait(timeout=60)

    assert server.counts.total() == 8 * 5


def test_a_killed_worker_is_replaced_and_its_run_goes_on(tmp_path: Path) -> None:
    make_small_benchmark()
    with ScriptedLLM(latency_ms=40) as server:
        plan = write_plan(tmp_path, server.url, turns=6, samples=3, concurrency=10)
        process = command("run_evaluation", plan, "--workers", "1", home=tmp_path)
        _wait_until(lambda: Turn.objects.count() > 10)
        _lose(worker_reports._asked_key(Run.objects.get().pk))  # as if it had been asked for long ago
        [worker] = [pid for pid in tree(process.pid) if pid != process.pid]

        os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1].startswith("run pilot finished: 24 of 24 conversations, 24 judgments")
    assert 0 <= server.counts.total() - 24 * 13 <= 2 * 10


def _lose(key: str) -> None:
    """Deletes a key of the workers' Redis: a queue with all its messages, or what was noted."""
    with current_app.connection_for_read() as connection:
        connection.default_channel.client.delete(key)  # type: ignore[attr-defined]


def _standing_worker(home: Path) -> "subprocess.Popen[bytes]":
    celery = [sys.executable, "-m", "celery", "-A", "impactbench", "worker", "-c", "1", "--loglevel", "ERROR"]
    variables = {**os.environ, **environment(home), "CELERY_SKIP_CHECKS": "1"}
    return subprocess.Popen(celery, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait_until(is_true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)
