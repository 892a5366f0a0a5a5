"""How fast a release is computed, and in how much memory, against the same bootstrap in plain Python: `make bench`."""

from __future__ import annotations

import random
import resource
import time

import pandas as pd

from evaluation.statistics.pass_rates import release_results

METRICS, BENCHMARKS, MODELS, SCENARIOS = 360, 18, 16, 3
PROFILES = ("teen", "adult")
RESAMPLES = 10_000
PLAIN_DRAWS = 2_000  # of one cell: enough to know what one costs


def main() -> None:
    """Prints the seconds for all numbers of a release, the peak of memory, and the ratio to a plain loop."""
    verdicts = _verdicts()
    benchmarks = {
        f"b{n:02d}": [m for m in verdicts["metric"].unique() if m.startswith(f"b{n:02d}/")] for n in range(18)
    }
    began = time.perf_counter()
    results = release_results(
        verdicts,
        {"benchmark": benchmarks},
        profiles=list(PROFILES),
        models=[f"model-{n:02d}" for n in range(MODELS)],
        resamples=RESAMPLES,
        seed=0,
    )
    ours = time.perf_counter() - began
    cells = int((results["group"] != "metric").sum())
    plain = _plain_seconds_per_draw(verdicts) * RESAMPLES * cells
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201
        f"statistics: {len(results)} results of {len(verdicts)} verdicts, {RESAMPLES} resamples: {ours:.1f} s, "
        f"{peak_mb:.0f} MB; a plain loop would take about {plain:.0f} s (ratio {plain / ours:.0f})"
    )


def _verdicts() -> pd.DataFrame:
    draw = random.Random(0)
    rows = [
        (f"{m}-{model}-{profile}-{s}", f"b{m % BENCHMARKS:02d}", f"b{m % BENCHMARKS:02d}/m{m:03d}",
         "positive" if m % 3 else "negative", f"model-{model:02d}", profile, True, draw.random() < 0.6, "")
        for m in range(METRICS)
        for model in range(MODELS)
        for profile in PROFILES
        for s in range(SCENARIOS)
    ]  # fmt: skip
    columns = ["conversation", "benchmark", "metric", "polarity", "model", "profile", "ended", "present", "reason"]
    return pd.DataFrame(rows, columns=columns).astype({"present": "boolean"})


def _plain_seconds_per_draw(verdicts: pd.DataFrame) -> float:
    """The cost of one draw of an average cell (a benchmark's metrics of one model), by dictionaries and loops."""
    mine = verdicts[(verdicts["model"] == "model-00") & (verdicts["benchmark"] == "b01")]
    by_metric: dict[str, list[bool]] = {}
    for metric, present in zip(mine["metric"], mine["present"], strict=True):
        by_metric.setdefault(metric, []).append(bool(present))
    draw, metrics = random.Random(1), list(by_metric)
    began = time.perf_counter()
    for _ in range(PLAIN_DRAWS):
        chosen = [by_metric[draw.choice(metrics)] for _ in metrics]
        sum(map(sum, chosen)) / sum(map(len, chosen))
    return (time.perf_counter() - began) / (PLAIN_DRAWS)


if __name__ == "__main__":
    main()
