"""Which metrics need work: those that tell no models apart, hang on one scenario, or go against their benchmark."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

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
    by_model = outcomes.groupby(["benchmark", "polarity", "metric", "model"])["passed"].agg(["sum", "count"])
    found = []
    for (benchmark, polarity), family in by_model.groupby(level=["benchmark", "polarity"]):
        table = family.droplevel(["benchmark", "polarity"])
        part = outcomes[(outcomes["benchmark"] == benchmark) & (outcomes["polarity"] == polarity)]
        for metric, rows in part.groupby("metric"):
            found.append(_quality(str(metric), rows, table))
    return sorted(found, key=lambda quality: quality.metric)


def _quality(metric: str, rows: pd.DataFrame, table: pd.DataFrame) -> MetricQuality:
    n, passed = len(rows), int(rows["passed"].sum())
    rates = table.loc[metric]["sum"] / table.loc[metric]["count"]
    item_rest, scenario_p = _item_rest(metric, table), _scenario_p(rows)
    flags = []
    if len(rates) >= 2 and rates.nunique() == 1:
        flags.append(NO_VARIANCE)
    if passed == n:
        flags.append(ALL_PASSED)
    if passed == 0:
        flags.append(ALL_FAILED)
    if scenario_p is not None and scenario_p < LEVEL:
        flags.append(SCENARIOS_DIFFER)
    if item_rest is not None and item_rest < 0:
        flags.append(AGAINST_THE_REST)
    return MetricQuality(metric, n, passed, item_rest, scenario_p, tuple(flags))


def _item_rest(metric: str, table: pd.DataFrame) -> float | None:
    own = table.loc[metric]
    rest = table.drop(index=metric, level="metric").groupby(level="model").sum()
    models = own.index.intersection(rest.index)
    if len(models) < LEAST_MODELS:
        return None
    a = (own["sum"] / own["count"]).loc[models].to_numpy(dtype=float)
    b = (rest["sum"] / rest["count"]).loc[models].to_numpy(dtype=float)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _scenario_p(rows: pd.DataFrame) -> float | None:
    table = pd.crosstab(rows["scenario"], rows["passed"])
    if table.shape[0] < 2 or table.shape[1] < 2:
        return None
    return float(stats.chi2_contingency(table.to_numpy(), correction=False).pvalue)
