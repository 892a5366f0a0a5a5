"""The metric-cluster bootstrap: one vector of metric weights per draw, shared by every cell of a release.

ImpactBench paper, section 3.6: metrics are resampled with replacement within each benchmark and polarity, and all
observations of a metric stay together. Because every cell of a release uses the same draws, any two cells (two
models, two profiles) are paired draw by draw.

The same bits come out on every machine and with any number of threads: the draws are raw words of PCG64, whose
stream numpy guarantees; sums are sums of integers below 2**53, which float64 holds exactly in whatever order BLAS
adds them; then comes one division, which IEEE 754 rounds in one way only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Bounds the memory of raw words; the numbers drawn do not depend on it.
WORDS_AT_ONCE = 2_000_000
# An interval needs this share of the draws to have a value.
USABLE_PER_CENT = 90


@dataclass(frozen=True)
class MetricWeights:
    """How often each metric was drawn: `weights[i, b]` belongs to `metrics[i]` and draw b."""

    metrics: tuple[str, ...]
    weights: NDArray[np.int32]

    @property
    def resamples(self) -> int:
        return int(self.weights.shape[1])

    def rows(self, metrics: Sequence[str]) -> Integers:
        """The row of each of these metrics in `weights`."""
        position = {metric: row for row, metric in enumerate(self.metrics)}
        return np.array([position[metric] for metric in metrics], dtype=np.int64)


@dataclass(frozen=True)
class Intervals:
    """Percentile intervals of several cells at once; NaN where `usable` forbids one."""

    low: Floats
    high: Floats
    low50: Floats
    high50: Floats
    n_draws: Integers
    usable: NDArray[np.bool_]


def metric_weights(strata: Mapping[str, tuple[str, str]], *, resamples: int, seed: int) -> MetricWeights:
    """Draw the weights of all metrics of a release; `strata` maps a metric to its (benchmark, polarity).

    Metrics stand in the order of (benchmark, polarity, metric), draw b uses one 64-bit word for each of them in
    that order: the word's high 32 bits, times the size k of the stratum, shifted right by 32, is the metric drawn.
    The chances of two metrics then differ by at most k / 2**32, far below what any number of draws could show.
    """
    ordered = sorted(strata, key=lambda metric: (strata[metric], metric))
    sizes = [len(list(members)) for _, members in groupby(ordered, key=lambda metric: strata[metric])]
    size = np.repeat(sizes, sizes).astype(np.uint64)
    start = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes) if sizes else np.zeros(0, dtype=np.int64)

    words = np.random.PCG64(seed)
    weights = np.zeros((len(ordered), resamples), dtype=np.int32)
    step = max(1, WORDS_AT_ONCE // max(1, len(ordered)))
    for first in range(0, resamples, step):
        n = min(step, resamples - first)
        raw = words.random_raw(n * len(ordered)).reshape(n, len(ordered))
        drawn = (((raw >> np.uint64(32)) * size) >> np.uint64(32)).astype(np.int64) + start
        flat = (drawn * n + np.arange(n)[:, None]).ravel()
        weights[:, first : first + n] = np.bincount(flat, minlength=len(ordered) * n).reshape(-1, n)
    return MetricWeights(tuple(ordered), weights)


def cell_sums(weights: MetricWeights, rows: Integers, counts: Integers) -> Floats:
    """Weighted sums per cell and draw, exact: `counts[i, c]` of metric `weights.metrics[rows[i]]` in cell c.

    Returns shape (cells, draws); the values are integers.
    """
    # No weight exceeds the number of metrics.
    if int(counts.sum()) * len(weights.metrics) >= 2**53:
        raise ValueError("too many conversations for exact sums in float64")
    sums: Floats = counts.T.astype(np.float64) @ weights.weights[rows].astype(np.float64)
    return sums


def cell_draws(weights: MetricWeights, rows: Integers, passed: Integers, judged: Integers) -> Floats:
    """The pass rate of every cell in every draw, shape (cells, draws); NaN where the draw gives it no metric."""
    n_passed = cell_sums(weights, rows, passed)
    n_judged = cell_sums(weights, rows, judged)
    return np.divide(n_passed, n_judged, out=np.full_like(n_passed, np.nan), where=n_judged > 0)


def nearest_rank(ordered: Floats, n_draws: Integers, per_mille: int) -> Floats:
    """The percentile of each row of `ordered` (ascending, its first `n_draws` values count): a value drawn."""
    rank = np.maximum((per_mille * n_draws + 999) // 1000, 1)
    return np.take_along_axis(ordered, rank[:, None] - 1, axis=1)[:, 0]


def percentile_intervals(draws: Floats, n_metrics: Integers) -> Intervals:
    """95 % and 50 % percentile intervals of cells from their draws (cells, draws); NaN draws are left out.

    A cell is usable when it has at least 2 metrics, 90 % of the draws give it a value, and its interval has a
    width (contract.md, 'Bootstrap').
    """
    ordered = np.sort(draws, axis=1)  # NaN sorts last
    n_draws = (~np.isnan(draws)).sum(axis=1)
    low, low50, high50, high = (nearest_rank(ordered, n_draws, share) for share in (25, 250, 750, 975))
    enough = n_draws * 100 >= USABLE_PER_CENT * draws.shape[1]
    usable = (n_metrics >= 2) & enough & (high > low)
    return Intervals(low, high, low50, high50, n_draws, usable)
