"""Numbers with their n and their interval, from sums that draws can weigh again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.bootstrap import metric_weights, percentile_intervals
from evaluation.statistics.intervals import wilson_interval

Floats = NDArray[np.float64]
Read = Callable[[Floats], Floats]

RESAMPLES, SEED = 2000, 0
METRICS, SCENARIOS, ITEMS, WILSON = "metrics", "scenarios", "items", "wilson"
# Draws of fewer things show too little of how they differ (docs/method.md, 'How far the intervals can be trusted').
FEW = 10
_COLUMN_OF = {METRICS: "metric", SCENARIOS: "scenario", ITEMS: "item"}


@dataclass(frozen=True)
class Estimate:
    """A number that rests on `n` things, with its 95 % interval; what does not exist is None, with the reason.

    `method` says what the interval comes from: draws of metrics, scenarios or items, Wilson's formula, or nothing.
    Beside an interval `reason` is a caution to be shown with it.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    method: str = ""
    reason: str = ""


def estimate(rows: pd.DataFrame, columns: Sequence[ArrayLike], read: Read, *, n: int, reason: str = "") -> Estimate:
    """What `read` makes of the sums of `columns` over `rows`, with a percentile interval from draws.

    `read` takes sums of shape (columns, draws) and gives a number a draw, NaN where undefined. A draw takes as many
    metrics as there are, with replacement, each with all its rows (ImpactBench paper, section 3.4.3); within one
    metric it takes items. `reason` is said when the number does not exist.
    """
    for method in (METRICS, ITEMS):
        found = estimate_over(rows, columns, read, method, n=n, reason=reason)
        if found.method or found.value is None:
            break
    return found


def estimate_over(
    rows: pd.DataFrame, columns: Sequence[ArrayLike], read: Read, method: str, *, n: int, reason: str = ""
) -> Estimate:
    """The same with draws of one kind of thing; no interval with fewer than two of them, or without spread.

    Things count in the order in which rows name them, so rows in one order give one interval.
    """
    of, names = pd.factorize(rows[_COLUMN_OF[method]])
    sums = np.zeros((len(names), len(columns)))
    np.add.at(sums, of, np.array(columns, dtype=np.float64).T)
    value = float(read(sums.sum(axis=0)[:, None])[0])
    if np.isnan(value):
        return Estimate(None, n, reason=reason or "nothing to compute it from")
    if len(names) < 2:
        return Estimate(value, n, reason=f"no interval: fewer than 2 {method}")
    drawn = read(sums.T @ weights_of(len(names)))
    interval = percentile_intervals(drawn[None, :], np.array([len(names)]))
    if not interval.usable[0]:
        return Estimate(value, n, reason="no interval: the draws are alike, or too few have a value")
    caution = f"rests on {len(names)} {method} only: likely too narrow" if len(names) < FEW else ""
    return Estimate(value, n, float(interval.low[0]), float(interval.high[0]), method, caution)


def share(rows: pd.DataFrame, hits: ArrayLike) -> Estimate:
    """The share of rows that hit; Wilson's interval where draws give none."""
    chosen = np.asarray(hits, dtype=np.float64)
    found = estimate(rows, [chosen, np.ones(len(chosen))], ratio, n=len(chosen))
    if found.value is None or found.method:
        return found
    low, high = wilson_interval(chosen.sum(), len(chosen))
    return Estimate(found.value, found.n, float(low), float(high), WILSON)


def ratio(sums: Floats) -> Floats:
    """The first sum divided by the second; NaN where the second is 0."""
    return np.divide(sums[0], sums[1], out=np.full(sums.shape[1], np.nan), where=sums[1] != 0)


@cache
def weights_of(n: int) -> NDArray[np.int32]:
    """How often each of n things was drawn, (n, draws); the same for every number of the same n, so they are paired."""
    return metric_weights({f"{thing:06}": ("", "") for thing in range(n)}, resamples=RESAMPLES, seed=SEED).weights
