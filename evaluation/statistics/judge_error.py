"""The judge's errors carried into the result, where a random part of the conversations has expert labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.intervals import Z_95

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Corrected:
    """A pass rate corrected for the judge's errors, None with a reason where that is impossible."""

    value: float | None
    low: float | None
    high: float | None
    n_labelled: int
    n_judged: int
    power: float | None
    reason: str = ""


def prediction_powered_rate(
    labels: Sequence[bool],
    judged_of_labelled: Sequence[bool],
    judged_only: Sequence[bool],
    *,
    clusters: Sequence[str] | None = None,
) -> Corrected:
    """The pass rate that experts would have found, from a few of their labels and all of the judge's verdicts.

    A. N. Angelopoulos and others, Prediction-powered inference, Science 382 (2023), power-tuned as in
    A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++ (2023), example of a mean:
    value = mean(Y) + lambda (mean(f over judged only) - mean(f over labelled)), and
    lambda = cov(Y, f) / ((1 + n/N) var(f)), held to 0..1. `labels` and `judged_of_labelled` belong to the n
    conversations labelled at random, `judged_only` to the N others. `clusters` names the metric of each labelled
    conversation; then the labelled part's variance is that of metric means (metrics are what was sampled).
    Undefined with fewer than 2 labels or clusters. Raises ValueError when labels and verdicts differ in number.
    """
    if len(labels) != len(judged_of_labelled):
        raise ValueError(f"{len(labels)} labels belong to {len(judged_of_labelled)} verdicts")
    y, f, g = (np.array(values, dtype=np.float64) for values in (labels, judged_of_labelled, judged_only))
    n, rest = len(y), len(g)
    if n < 2:
        return Corrected(None, None, None, n, n + rest, None, "fewer than 2 labels")
    power = _power(y, f, n, rest)
    value = float(y.mean() + power * ((g.mean() if rest else f.mean()) - f.mean()))
    variance = _variance_of_mean(y - power * f, clusters)
    if variance is None:
        return Corrected(None, None, None, n, n + rest, power, "fewer than 2 metrics have labels")
    if rest > 1:
        variance += power**2 * float(g.var(ddof=1)) / rest
    half = Z_95 * float(np.sqrt(variance))
    held = min(max(value, 0.0), 1.0)
    return Corrected(held, max(value - half, 0.0), min(value + half, 1.0), n, n + rest, power)


def rogan_gladen_rate(apparent: float, sensitivity: float, specificity: float) -> float | None:
    """The true share behind an apparent one, given how often the judge finds what is there and what is not.

    W. J. Rogan and B. Gladen, Estimating prevalence from the results of a screening test (1978):
    (apparent + specificity - 1) / (sensitivity + specificity - 1), held to 0..1. Here the share that *passes*, so
    both are those of the pass verdict. None for a judge no better than chance.
    """
    youden = sensitivity + specificity - 1.0
    if youden <= 0:
        return None
    return min(max((apparent + specificity - 1.0) / youden, 0.0), 1.0)


def _power(y: Floats, f: Floats, n: int, rest: int) -> float:
    """PPI++'s lambda: how much the judge's verdicts are worth; 0 when they say nothing or there are no others."""
    variance = float(f.var(ddof=1))
    if rest == 0 or variance == 0:
        return 0.0
    covariance = float(np.cov(y, f, ddof=1)[0, 1])
    return min(max(covariance / ((1 + n / rest) * variance), 0.0), 1.0)


def _variance_of_mean(values: Floats, clusters: Sequence[str] | None) -> float | None:
    if clusters is None:
        return float(values.var(ddof=1)) / len(values)
    labels = np.array(clusters, dtype=object)
    names = sorted(set(clusters))
    if len(names) < 2:
        return None
    # The linearised cluster variance of a ratio of sums (Taylor), with the usual g / (g - 1).
    centred = values - values.mean()
    sums = np.array([centred[labels == name].sum() for name in names])
    return float(len(names) / (len(names) - 1) * (sums**2).sum()) / len(values) ** 2
