"""Which metrics need work: those that tell no models apart, hang on one scenario, or go against their benchmark."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

NO_VARIANCE = "no-variance"
ALL_PASSED = "all-passed"
ALL_FAILED = "all-failed"
SCENARIOS_DIFFER = "scenarios-differ"
AGAINST_THE_REST = "against-the-rest"
# Chance alone gives this flag to one metric in a hundred.
LEVEL = 0.01
LEAST_MODELS = 3


@dataclass(frozen=True)
class MetricQuality:
    """What the verdicts say about one metric. Correlation and p are None where they are undefined."""

    metric: str
    n_judged: int
    n_passed: int
    item_rest: float | None
    scenario_p: float | None
    flags: tuple[str, ...]


def metric_quality(outcomes: pd.DataFrame) -> list[MetricQuality]:
    """One entry a metric, by name, from judged outcomes: columns benchmark, metric, polarity, scenario, model, passed.

    `no-variance`: every model has the same rate (`all-passed` and `all-failed` say which of two kinds it is).
    `scenarios-differ`: pass rates differ between scenarios by more than chance (chi-square test, p below 1 %,
    conversations taken as independent). `against-the-rest`: the item-rest correlation is below 0: over models,
    Pearson's r of the metric's rates with those of the rest of its benchmark in the same polarity.
    """
    scenario_p = _scenario_p(outcomes)
    found = []
    for _, family in outcomes.groupby(["benchmark", "polarity"]):
        by_model = family.groupby(["metric", "model"])["passed"].agg(["sum", "count"])
        passed = by_model["sum"].unstack(fill_value=0)
        judged = by_model["count"].unstack(fill_value=0)
        found += [
            _quality(str(metric), passed, judged, scenario_p.get(str(metric)))
            for metric in sorted(set(family["metric"]))
        ]
    return sorted(found, key=lambda quality: quality.metric)


def _quality(metric: str, passed: pd.DataFrame, judged: pd.DataFrame, scenario_p: float | None) -> MetricQuality:
    """`passed` and `judged` are metrics by models, of all metrics of the benchmark in the polarity."""
    own_passed, own_judged = (table.loc[metric].to_numpy(dtype=float) for table in (passed, judged))
    tested = own_judged > 0
    rates = own_passed[tested] / own_judged[tested]
    n, n_passed = int(own_judged.sum()), int(own_passed.sum())
    rest_passed, rest_judged = passed.sum().to_numpy() - own_passed, judged.sum().to_numpy() - own_judged
    both = tested & (rest_judged > 0)
    item_rest = _correlation(own_passed[both] / own_judged[both], rest_passed[both] / rest_judged[both])
    flags = {
        NO_VARIANCE: len(rates) >= 2 and bool((rates == rates[0]).all()),
        ALL_PASSED: n_passed == n,
        ALL_FAILED: n_passed == 0,
        SCENARIOS_DIFFER: scenario_p is not None and scenario_p < LEVEL,
        AGAINST_THE_REST: item_rest is not None and item_rest < 0,
    }
    return MetricQuality(
        metric, n, n_passed, item_rest, scenario_p, tuple(flag for flag, holds in flags.items() if holds)
    )


def _correlation(a: Floats, b: Floats) -> float | None:
    if len(a) < LEAST_MODELS or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _scenario_p(outcomes: pd.DataFrame) -> dict[str, float]:
    """p of Pearson's chi-square test of scenario by outcome for each metric; none without two of each.

    With n_i conversations in scenario i, s_i of them passed, and p the metric's rate: sum of
    (s_i - n_i p)^2 / (n_i p (1 - p)), on the number of scenarios less one degrees of freedom.
    """
    table = outcomes.groupby(["metric", "scenario"])["passed"].agg(["sum", "count"]).astype(float)
    whole = table.groupby(level="metric").transform("sum")
    rate = whole["sum"] / whole["count"]
    part = (table["sum"] - table["count"] * rate) ** 2 / (table["count"] * rate * (1 - rate))
    of_metric = part[(rate > 0) & (rate < 1)].groupby(level="metric").agg(["sum", "size"])
    several = of_metric[of_metric["size"] >= 2]
    p = np.atleast_1d(stats.chi2.sf(several["sum"], several["size"] - 1))
    return {str(metric): float(value) for metric, value in zip(several.index, p, strict=True)}
