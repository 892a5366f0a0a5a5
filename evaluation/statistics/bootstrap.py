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
from functools import cached_property
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
        return np.array([self._position[metric] for metric in metrics], dtype=np.int64)

    @cached_property
    def n_drawn(self) -> Integers:
        """In how many draws each metric was drawn at all."""
        return (self.weights > 0).sum(axis=1)

    @cached_property
    def as_float32(self) -> NDArray[np.float32]:
        """The weights as float32, exact: no weight comes near 2**24."""
        return self.weights.astype(np.float32)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {metric: row for row, metric in enumerate(self.metrics)}


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
    # The weights of a draw add up to the number of metrics, so no sum exceeds this.
    bound = int(counts.max(initial=0)) * len(weights.metrics)
    if bound >= 2**53:
        raise ValueError("too many conversations for exact sums in float64")
    # float32 holds integers below 2**24 exactly, in half the time and memory.
    if bound < 2**24:
        halves = counts.T.astype(np.float32) @ weights.as_float32[rows]
        return halves.astype(np.float64)
    sums: Floats = counts.T.astype(np.float64) @ weights.weights[rows].astype(np.float64)
    return sums


def cell_draws(weights: MetricWeights, rows: Integers, passed: Integers, judged: Integers) -> Floats:
    """The pass rate of every cell in every draw, shape (cells, draws); NaN where the draw gives it no metric."""
    n_passed, n_judged = np.split(cell_sums(weights, rows, np.hstack([passed, judged])), 2)
    return np.divide(n_passed, n_judged, out=np.full_like(n_passed, np.nan), where=n_judged > 0)


def nearest_ranks(draws: Floats, n_draws: Integers, per_mille: Sequence[int]) -> list[Floats]:
    """The percentiles of each row of draws, each a value drawn; NaN draws are left out, and a row of NaN gives NaN.

    `n_draws` counts the draws of each row that have a value. Parts the draws instead of sorting them, which is faster.
    """
    found = [np.full(len(draws), np.nan) for _ in per_mille]
    for n in np.unique(n_draws[n_draws > 0]):
        rows = np.flatnonzero(n_draws == n)
        places = [max((share * int(n) + 999) // 1000, 1) - 1 for share in per_mille]
        # NaN is parted last, so the first n places hold the values.
        parted = np.partition(draws[rows], sorted(set(places)), axis=1)
        for column, place in zip(found, places, strict=True):
            column[rows] = parted[:, place]
    return found


def percentile_intervals(draws: Floats, n_metrics: Integers, n_draws: Integers | None = None) -> Intervals:
    """95 % and 50 % percentile intervals of cells from their draws (cells, draws); NaN draws are left out.

    A cell is usable when it has at least 2 metrics, 90 % of the draws give it a value, and its interval has a
    width (contract.md, 'Bootstrap'). `n_draws` counts the draws with a value where it is known already.
    """
    if n_draws is None:
        n_draws = (~np.isnan(draws)).sum(axis=1)
    several = np.flatnonzero(n_metrics >= 2)
    ends = [np.full(len(draws), np.nan) for _ in range(4)]
    for end, found in zip(ends, nearest_ranks(draws[several], n_draws[several], (25, 250, 750, 975)), strict=True):
        end[several] = found
    low, low50, high50, high = ends
    enough = n_draws * 100 >= USABLE_PER_CENT * draws.shape[1]
    with np.errstate(invalid="ignore"):
        usable = (n_metrics >= 2) & enough & (high > low)
    return Intervals(low, high, low50, high50, n_draws, usable)
