"""The main job on real parts: a benchmark file, a real (very small) language model, a label over HTTP."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
BENCHMARK = ROOT / "evaluation" / "demo" / "autonomy-and-learning"
PLAN = """
name: {name}
metrics: [autonomy-and-learning/asks-what-matters]
user_simulator: tiny
judge: tiny-judge
targets: [tiny-target]
profiles: [adult]
turns: 3
structured_simulator: true
allow_cut_replies: true
demonstration: true
models:
  - slug: tiny-target
    name: Tiny
    litellm_model: openai/SmolLM2-135M-Instruct
    api_base: embedded:smollm2
    parameters: {{temperature: 0.5, max_tokens: 30}}
    input_usd_per_million: 0
    output_usd_per_million: 0
  - slug: tiny
    name: Tiny, playing the user
    litellm_model: openai/SmolLM2-135M-Instruct
    api_base: embedded:smollm2
    parameters: {{temperature: 0.5, max_tokens: 160}}
    input_usd_per_million: 0
    output_usd_per_million: 0
  - slug: tiny-judge
    name: Tiny, playing the judge
    litellm_model: openai/SmolLM2-135M-Instruct
    api_base: embedded:smollm2
    parameters: {{temperature: 0, max_tokens: 600, repeat_penalty: 1.15}}
    input_usd_per_million: 0
    output_usd_per_million: 0
"""
# So small a model gives a goal away in one conversation of five, and such a conversation is never judged.
ATTEMPTS = 6


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A machine that knows nothing of us: no servers named, a home of its own."""
    unknown = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
    kept = {name: value for name, value in os.environ.items() if name not in unknown}
    return {**kept, "IMPACTBENCH_HOME": str(tmp_path / "home")}


def _manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=540, check=False)


@pytest.fixture
def site(environment: dict[str, str]) -> Iterator[str]:
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "docker/gunicorn.conf.py", "impactbench.wsgi"],
        cwd=ROOT,
        env={**environment, "PORT": str(port), "BIND": f"127.0.0.1:{port}"},
    )
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(timeout=30)


def _get(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return json.load(answer)


def _run_until_judged(environment: dict[str, str], folder: Path) -> dict[str, Any]:
    """The report of the first run whose one conversation came to a verdict; every run before it has to say why not."""
    for attempt in range(1, ATTEMPTS + 1):
        name = f"small-{attempt}"
        plan, report = folder / f"{name}.yaml", folder / f"{name}.json"
        plan.write_text(PLAN.format(name=name), encoding="utf-8")
        ran = _manage(environment, "run_evaluation", str(plan), "--json", str(report))
        assert ran.returncode == 0, ran.stderr
        told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        assert (told["run"], told["state"], told["conversations"]) == (name, "finished", 1)
        assert told["judgments"] + sum(told["unjudged"].values()) == 1
        if told["judgments"]:
            return told
    pytest.fail(f"none of {ATTEMPTS} conversations was judged; the last run said {told['unjudged']}")


@pytest.mark.slow
@pytest.mark.alone
def test_from_a_file_to_a_label(environment: dict[str, str], site: str, tmp_path: Path) -> None:
    imported = _manage(environment, "import_benchmark", str(BENCHMARK))
    again = _manage(environment, "import_benchmark", str(BENCHMARK))
    told = _run_until_judged(environment, tmp_path)
    published = _manage(environment, "publish_release", "small", "--run", told["run"])
    verified = _manage(environment, "verify_release", "small")

    for step in (imported, again, published, verified):
        assert step.returncode == 0, step.stderr
    assert "unchanged" in again.stdout
    label = _get(f"{site}/api/v1/labels/tiny-target/")
    assert (label["model"], label["release"]) == ("tiny-target", "small")
    (release,) = _get(f"{site}/api/v1/releases/")["results"]
    assert (release["n_judged"], release["n_unjudged"]) == (1, 0)
