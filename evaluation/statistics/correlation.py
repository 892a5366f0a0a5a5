"""Spearman's rank correlation with average ranks, and the words for where it has no value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEAST_PAIRS = 3


@dataclass(frozen=True)
class Correlation:
    """A correlation, or None with the reason; `n` counts the pairs that have both values."""

    value: float | None
    n: int
    reason: str = ""


def spearman(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Spearman's rho of the pairs in which both values exist, ties given their average rank.

    Unrounded values are ranked (ImpactBench paper, section 3.6). Undefined below three pairs, or when one side is
    the same throughout. Raises ValueError for lists of different lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"the sides have {len(first)} and {len(second)} values")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if len(pairs) < LEAST_PAIRS:
        return Correlation(None, len(pairs), f"fewer than {LEAST_PAIRS} pairs")
    a, b = (stats.rankdata(np.array(side, dtype=float)) for side in zip(*pairs, strict=True))
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(None, len(pairs), "one side does not vary")
    a, b = a - a.mean(), b - b.mean()
    return Correlation(float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())), len(pairs))
