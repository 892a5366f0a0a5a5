"""A run whose messages the broker lost goes on by itself, with a real worker."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings

from evaluation.models import Run
from evaluation.services import planning, running, worker_reports
from tests.support.commands import ROOT, environment
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import make_small_benchmark, write_plan

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]


def test_a_worker_takes_up_a_run_that_nobody_works_on(tmp_path: Path) -> None:
    make_small_benchmark()
    with ScriptedLLM() as server:
        run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, server.url)))
        running.start(run)
        running.enqueue(run.pk)
        with current_app.connection_for_read() as connection:
            connection.default_channel.client.delete(settings.CELERY_TASK_DEFAULT_QUEUE)  # type: ignore[attr-defined]
        worker_reports._redis().delete(worker_reports._asked_key(run.pk))

        worker = _standing_worker(tmp_path)
        try:
            _wait_until_finished()
        finally:
            worker.terminate()
            worker.wait(timeout=60)

    assert server.counts.total() == 8 * 5


def _standing_worker(home: Path) -> "subprocess.Popen[bytes]":
    celery = [sys.executable, "-m", "celery", "-A", "impactbench", "worker", "-c", "1", "--loglevel", "ERROR"]
    variables = {**os.environ, **environment(home), "CELERY_SKIP_CHECKS": "1"}
    return subprocess.Popen(celery, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait_until_finished(seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while Run.objects.get().state != Run.State.FINISHED:
        assert time.monotonic() < deadline, "nobody took up the run"
        time.sleep(0.2)
