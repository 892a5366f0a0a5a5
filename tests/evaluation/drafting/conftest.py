"""A benchmark of two metrics, a scripted drafter, and the commands as people give them."""

import json
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from evaluation.importers.writing.wording import content_hash
from tests.support.builders import make_benchmark, make_metric, make_model
from tests.support.drafting import drafter
from tests.support.llm_server import ScriptedLLM

Command = Callable[..., dict[str, Any]]


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        scripted.script("drafter", drafter)
        yield scripted


@pytest.fixture
def generate(db: None, server: ScriptedLLM, tmp_path: Path, settings: Any) -> Command:
    """Gives a drafting command for the benchmark `autonomy`, whose metrics are a01 (positive) and a02; its report."""
    settings.MODEL_CALLS = {"attempts": 1, "attempt_seconds": 2, "total_seconds": 4, "breaker_seconds": 0}
    make_benchmark("autonomy", target_context="Somebody with a choice.", research_summary="Choices matter.")
    for local_id, polarity in (("a01", "positive"), ("a02", "negative")):
        wording: dict[str, Any] = {
            "name": f"Asks ({local_id})",
            "polarity": polarity,
            "definition": f"The assistant asks ({local_id}).",
        }
        make_metric(local_id, **wording, content_hash=content_hash(wording))
    make_model(
        "drafter", litellm_model="openai/drafter", api_base=server.url, input_usd_per_million=1,
        output_usd_per_million=1, parameters={"max_tokens": 1000},
    )  # fmt: skip

    def give(name: str, *arguments: str) -> dict[str, Any]:
        report = tmp_path / "report.json"
        report.unlink(missing_ok=True)
        given = ["--benchmark", "autonomy", "--model", "drafter", "--json", str(report), *arguments]
        call_command(name, *given, stdout=StringIO(), stderr=StringIO())
        found: dict[str, Any] = json.loads(report.read_text())
        return found

    return give
