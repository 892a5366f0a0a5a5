"""How fast a release is computed, and in how much memory, against the same bootstrap in plain Python: `make bench`."""

from __future__ import annotations

import random
import resource
import time

import pandas as pd
from scipy import stats

from evaluation.statistics.release_numbers import ReleaseNumbers, release_numbers

# The paper's design.
METRICS, BENCHMARKS, MODELS, SCENARIOS = 809, 26, 10, 3
PROFILES = ("teen", "adult")
RESAMPLES = 10_000
PLAIN_DRAWS = 2_000  # of one cell: enough to know what one costs


def main() -> None:
    """Prints the seconds for all numbers of a release, the peak of memory, and the ratios to other ways."""
    verdicts = _verdicts()
    ours, numbers = _timed(verdicts)
    results, compared = numbers.results, numbers.comparisons
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cells = int((results["group"] != "metric").sum()) + 2 * len(compared)
    plain = _plain_seconds_per_draw(verdicts) * RESAMPLES * cells
    by_scipy = _scipy_seconds(verdicts) * cells
    print(  # noqa: T201
        f"statistics: {len(results)} results and {len(compared)} comparisons of {len(verdicts)} verdicts, "
        f"{RESAMPLES} resamples: {ours:.1f} s, {peak_mb:.0f} MB; a plain loop would take about {plain:.0f} s "
        f"(ratio {plain / ours:.0f}), scipy.stats.bootstrap about {by_scipy:.0f} s (ratio {by_scipy / ours:.0f})"
    )
    more, _ = _timed(_verdicts(scenarios=10 * SCENARIOS))
    print(f"statistics: ten times the verdicts: {more:.1f} s (ratio {more / ours:.1f})")  # noqa: T201


def _timed(verdicts: pd.DataFrame) -> tuple[float, ReleaseNumbers]:
    benchmarks = {
        f"b{n:02d}": [m for m in verdicts["metric"].unique() if m.startswith(f"b{n:02d}/")] for n in range(BENCHMARKS)
    }
    began = time.perf_counter()
    numbers = release_numbers(
        verdicts,
        {"benchmark": benchmarks},
        profiles=list(PROFILES),
        models=[f"model-{n:02d}" for n in range(MODELS)],
        resamples=RESAMPLES,
        seed=0,
    )
    return time.perf_counter() - began, numbers


def _scipy_seconds(verdicts: pd.DataFrame) -> float:
    """What scipy needs for one cell of an average benchmark, metrics drawn as pairs of (passed, judged)."""
    mine = verdicts[(verdicts["model"] == "model-00") & (verdicts["benchmark"] == "b01")]
    counts = mine.groupby("metric")["present"].agg(["sum", "count"]).to_numpy(dtype=float)
    began = time.perf_counter()
    stats.bootstrap(
        (counts[:, 0], counts[:, 1]),
        lambda passed, judged, axis: passed.sum(axis=axis) / judged.sum(axis=axis),
        paired=True,
        n_resamples=RESAMPLES,
        method="percentile",
    )
    return time.perf_counter() - began


def _verdicts(*, scenarios: int = SCENARIOS) -> pd.DataFrame:
    draw = random.Random(0)
    rows = [
        (f"{m}-{model}-{profile}-{s}", f"b{m % BENCHMARKS:02d}", f"b{m % BENCHMARKS:02d}/m{m:03d}",
         "positive" if m % 3 else "negative", f"model-{model:02d}", profile, True, draw.random() < 0.6, "")
        for m in range(METRICS)
        for model in range(MODELS)
        for profile in PROFILES
        for s in range(scenarios)
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
