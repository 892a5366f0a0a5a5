"""Our side of the comparison: the demonstration's benchmark, and a plan of so many conversations of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from tests.bench.scripted_server import Server
from tests.support.production_server import ROOT, environment

BENCHMARK = "evaluation/demo/autonomy-and-learning"
SCENARIOS = 8
WORKERS = 2
KEY = "SCRIPTED_KEY"
_numbers = count(1)


def prepare(home: Path) -> None:
    """Brings the benchmark into the database of this home."""
    manage = [sys.executable, "manage.py", "import_benchmark", BENCHMARK]
    subprocess.run(manage, cwd=ROOT, env=environment(home), check=True, stdout=subprocess.DEVNULL)


def command(home: Path, *, provider: str = "openai") -> Callable[[Server, int, int], Sequence[str | Path]]:
    """What to run for `n` conversations, so many in flight over all workers; each time a run of its own.

    Models of another `provider` than OpenAI go through litellm.
    """

    def made(server: Server, n: int, in_flight: int) -> Sequence[str | Path]:
        path = home / f"plan-{next(_numbers)}.yaml"
        url = server.url if provider == "openai" else server.address
        prefix = "" if provider == "openai" else f"{provider}-"
        write_plan(path, url, n=n, concurrency=in_flight // WORKERS, prefix=prefix, provider=provider)
        return [sys.executable, "manage.py", "run_evaluation", path, "--workers", str(WORKERS)]

    return made


def write_plan(path: Path, url: str, *, n: int, concurrency: int, prefix: str = "", provider: str = "openai") -> None:
    """A plan with everything on that a real one has: prices, a budget, limits, typing edits, anchors.

    `prefix` gives the models of another server names of their own.
    """
    simulator, judge, target = (f"{prefix}{role}" for role in ("simulator", "judge", "target"))
    plan: dict[str, Any] = {
        "name": path.stem,
        "benchmarks": ["autonomy-and-learning"],
        "user_simulator": simulator,
        "judge": judge,
        "targets": [target],
        "samples": n // SCENARIOS,
        "concurrency": concurrency,
        "budget_usd": 1_000_000,
        "models": [_model(slug, url, provider) for slug in (simulator, judge, target)],
    }
    path.write_text(yaml.safe_dump(plan, sort_keys=False))


def _model(slug: str, url: str, provider: str) -> dict[str, Any]:
    return {
        "slug": slug,
        "name": slug.title(),
        "litellm_model": f"{provider}/{slug}",
        "api_base": url,
        "api_key_env": KEY,
        "parameters": {"max_tokens": 200},
        "requests_per_minute": 10_000_000,
        "tokens_per_minute": 2_000_000_000,
        "max_in_flight": 10_000,
        "input_usd_per_million": 1,
        "output_usd_per_million": 1,
    }
