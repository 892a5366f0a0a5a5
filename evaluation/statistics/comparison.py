"""Differences between two sides that share their draws: two models, two profiles, good against bad.

Because every cell of a release is drawn with the same metric weights, the difference of two cells draw by draw is a
paired difference (ImpactBench paper, section 3.6).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import USABLE_PER_CENT, nearest_ranks

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class PairedDifferences:
    """Differences a - b of several pairs; ends and p are NaN where `usable` is False."""

    low: Floats
    high: Floats
    p: Floats
    n_draws: Integers
    usable: Bools


def paired_differences(a: Floats, b: Floats, *, n_metrics: Integers) -> PairedDifferences:
    """95 % percentile intervals and two-sided p of a - b, from draws of shape (pairs, draws).

    A draw in which either side has no metric is dropped and counted. p is twice the smaller share of draws on one
    side of 0 (those at 0 count on both), at least 1 / (B + 1) with B usable draws, at most 1. Unusable are pairs
    with fewer than 2 metrics, under 90 % usable draws, or draws that are all equal.
    """
    drawn = a - b
    n_draws = (~np.isnan(drawn)).sum(axis=1)
    low, high = nearest_ranks(drawn, n_draws, (25, 975))
    with np.errstate(invalid="ignore"):
        below, above = (drawn <= 0).sum(axis=1), (drawn >= 0).sum(axis=1)
        shares = 2.0 * np.minimum(below, above) / np.maximum(n_draws, 1)
        p = np.clip(shares, 1.0 / (n_draws + 1.0), 1.0)
        enough = n_draws * 100 >= USABLE_PER_CENT * drawn.shape[1]
        usable = (n_metrics >= 2) & enough & (high > low)
    nowhere = np.full(len(drawn), np.nan)
    return PairedDifferences(
        low=np.where(usable, low, nowhere),
        high=np.where(usable, high, nowhere),
        p=np.where(usable, p, nowhere),
        n_draws=n_draws,
        usable=usable,
    )


def excludes_zero(differences: PairedDifferences) -> Bools:
    """Whether the 95 % interval leaves out 0 (`distinguishable`); False where there is no interval."""
    return differences.usable & ((differences.low > 0) | (differences.high < 0))


def holm(p: Floats, *, level: float = 0.05) -> Bools:
    """Which hypotheses of one family are rejected by Holm's step-down procedure; NaN counts in no family.

    S. Holm, A simple sequentially rejective multiple test procedure (1979): the i-th smallest of m values is
    compared with level / (m - i + 1), and the first that fails stops all larger ones.
    """
    rejected = np.zeros(len(p), dtype=bool)
    members = np.flatnonzero(~np.isnan(p))
    ordered = members[np.argsort(p[members], kind="stable")]
    for step, member in enumerate(ordered):
        if p[member] > level / (len(ordered) - step):
            break
        rejected[member] = True
    return rejected


def tie_groups(rates: Sequence[float], distinct: dict[tuple[int, int], bool]) -> list[int]:
    """The tie group of each item, 1 for the best: an item opens a new group when it is distinct from the group's first.

    `distinct[(i, j)]` for i < j says whether the two can be told apart. Ties are not transitive, so this is a
    reading aid: two items in one group cannot be told apart from its best, not always from each other.
    """
    order = sorted(range(len(rates)), key=lambda item: (-rates[item], item))
    groups, first, number = [0] * len(rates), None, 0
    for item in order:
        if first is None or distinct.get((min(first, item), max(first, item)), False):
            first, number = item, number + 1
        groups[item] = number
    return groups


def rank_intervals(draws: Floats) -> tuple[Integers, Integers]:
    """The 95 % percentile interval of each item's rank (1 = highest, ties share the better rank), items by draws.

    A draw in which any item has no value is dropped; with none left the interval is 1 to the number of items.
    """
    whole = draws[:, ~np.isnan(draws).any(axis=0)]
    if whole.shape[1] == 0:
        return np.ones(len(draws), dtype=np.int64), np.full(len(draws), len(draws), dtype=np.int64)
    ranks = np.empty(whole.shape, dtype=np.int64)
    for item in range(len(whole)):
        ranks[item] = 1 + (whole > whole[item]).sum(axis=0)
    low, high = np.quantile(ranks, [0.025, 0.975], axis=1, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def pairs_of(n: int) -> list[tuple[int, int]]:
    """All pairs i < j of n items, in order."""
    return list(combinations(range(n), 2))
