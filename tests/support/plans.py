"""Plans of tests: a small benchmark in the database, and a PLAN.yaml for it whose models a scripted server plays."""

from pathlib import Path
from typing import Any

import yaml

from evaluation.models import MetricVersion
from tests.support.builders import make_metric, make_scenarios

# What a person writes into the form of a plan, all but its name and the switches.
FORM_FIELDS: dict[str, Any] = {
    "benchmarks": ["autonomy"],
    "user_simulator": "simulator",
    "judge": ["judge"],
    "targets": ["target-a", "target-b"],
    "turns": "2",
    "samples": "1",
    "judge_repeats": "1",
    "concurrency": "5",
    "seed": "0",
    "budget_usd": "25",
    "unpriced_call_usd": "0.01",
}
PARTS = ("simulator", "judge", "target-a", "target-b")


def make_small_benchmark(n_scenarios: int = 1) -> list[MetricVersion]:
    """Benchmark `autonomy` with a positive and a negative metric, each with scenarios for teens and adults."""
    versions = [make_metric("m01", polarity="positive"), make_metric("m02", polarity="negative")]
    for version in versions:
        for number in range(1, n_scenarios + 1):
            make_scenarios(version, number=number)
    return versions


def write_plan(folder: Path, url: str, *, name: str = "pilot", prices: float | None = 1.0, **changes: Any) -> Path:
    """A plan of two targets over `autonomy`, two turns each; `changes` are other keys of the plan, None drops one."""
    plan: dict[str, Any] = {
        "name": name,
        "benchmarks": ["autonomy"],
        "user_simulator": "simulator",
        "judge": "judge",
        "targets": ["target-a", "target-b"],
        "turns": 2,
        "models": [planned_model(part, url, prices) for part in PARTS],
        **changes,
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump({key: value for key, value in plan.items() if value is not None}, sort_keys=False))
    return path


def planned_model(slug: str, url: str, price: float | None = 1.0) -> dict[str, Any]:
    """An entry of `models` that the scripted server answers for."""
    return {
        "slug": slug,
        "name": slug.replace("-", " ").title(),
        "litellm_model": f"openai/{slug}",
        "api_base": url,
        "parameters": {"max_tokens": 200},
        "input_usd_per_million": price,
        "output_usd_per_million": price,
    }
