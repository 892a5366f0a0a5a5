"""Other bootstraps of the same clusters, shown beside the percentile interval as a check on it.

With few metrics in a stratum the percentile interval is too narrow; these two say by how much.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def rescaled_draws(passed: Integers, judged: Integers, strata: Sequence[str], *, resamples: int, seed: int) -> Floats:
    """Pass rates of one cell under the rescaled (n - 1) cluster bootstrap, one a draw.

    J. N. K. Rao and C. F. J. Wu, Resampling inference with complex survey data (1988): n - 1 of the n metrics of a
    stratum are drawn with replacement and weighted by n / (n - 1), so that the variance is unbiased for few
    metrics. A stratum with one metric keeps it: nothing can be said about its variance. `passed[i]`, `judged[i]`
    belong to metric i of stratum `strata[i]`.
    """
    words = np.random.default_rng(seed)
    n_passed, n_judged = np.zeros(resamples), np.zeros(resamples)
    labels = np.array(strata, dtype=object)
    for stratum in sorted(set(strata)):
        members = np.flatnonzero(labels == stratum)
        n = len(members)
        weights = np.ones((resamples, 1)) if n == 1 else _multinomial(words, n, resamples) * (n / (n - 1))
        n_passed += weights @ passed[members]
        n_judged += weights @ judged[members]
    return np.divide(n_passed, n_judged, out=np.full(resamples, np.nan), where=n_judged > 0)


def percentile_interval(draws: Floats) -> tuple[float, float] | None:
    """The 95 % nearest-rank percentile interval of draws; None when it has no width or no draws."""
    known = draws[~np.isnan(draws)]
    if not len(known) or np.ptp(known) == 0:
        return None
    low, high = np.quantile(known, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


def bca_interval(passed: Integers, judged: Integers, draws: Floats) -> tuple[float, float] | None:
    """The 95 % bias-corrected and accelerated interval of one cell from its draws.

    B. Efron, Better bootstrap confidence intervals (1987); acceleration by leaving out one metric at a time. None
    where it is undefined: fewer than 2 metrics, no width, or the estimate beyond all draws.
    """
    known = draws[~np.isnan(draws)]
    total_passed, total_judged = passed.sum(), judged.sum()
    rest = total_judged - judged
    if len(passed) < 2 or not len(known) or np.ptp(known) == 0 or (rest == 0).any():
        return None
    estimate = total_passed / total_judged
    below = ((known < estimate).sum() + 0.5 * (known == estimate).sum()) / len(known)
    if below in (0.0, 1.0):
        return None
    jackknife = (total_passed - passed) / rest
    spread = jackknife.mean() - jackknife
    power = (spread**2).sum() ** 1.5
    acceleration = (spread**3).sum() / (6 * power) if power else 0.0
    bias = stats.norm.ppf(below)
    ends = bias + stats.norm.ppf([0.025, 0.975])
    shares = stats.norm.cdf(bias + ends / (1 - acceleration * ends))
    low, high = np.quantile(known, shares, method="inverted_cdf")
    return float(low), float(high)


def _multinomial(words: np.random.Generator, n: int, resamples: int) -> Floats:
    return words.multinomial(n - 1, np.full(n, 1 / n), size=resamples).astype(np.float64)
