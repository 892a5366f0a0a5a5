"""Runs of the tests: a scripted server, a small benchmark, and impatient calls."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.models import Run
from evaluation.services import planning, running
from tests.support.llm_server import ScriptedLLM
from tests.support.plans import make_small_benchmark, write_plan


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


@pytest.fixture
def started_run(transactional_db: None, server: ScriptedLLM, tmp_path: Path, settings: Any) -> Callable[..., Run]:
    """Makes a run over the small benchmark and starts it; keywords change its plan."""
    settings.MODEL_CALLS = {"attempts": 2, "attempt_seconds": 2, "total_seconds": 4, "breaker_seconds": 0}
    make_small_benchmark()

    def start(**changes: Any) -> Run:
        url = changes.pop("url", server.url)
        run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, url, **changes)))
        return running.start(run)

    return start
