"""Spearman's correlation against scipy, and where it has no value."""

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics.correlation import Correlation, spearman


@pytest.mark.parametrize("seed", range(10))
def test_spearman_with_ties_equals_scipy(seed):
    words = np.random.default_rng(seed)
    a, b = words.integers(0, 8, 26) / 7, words.integers(0, 8, 26) / 7

    assert spearman(a.tolist(), b.tolist()).value == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-14)


def test_spearman_leaves_out_pairs_with_a_missing_side():
    found = spearman([1.0, None, 2.0, 3.0], [1.0, 9.0, 2.0, 3.0])

    assert (found.value, found.n, found.reason) == (pytest.approx(1.0), 3, "")


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [([1.0, 2.0], [1.0, 2.0], "fewer than 3 pairs"), ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], "one side does not vary")],
)
def test_spearman_without_a_value_says_why(a, b, reason):
    assert spearman(a, b) == Correlation(None, len(a), reason)


def test_spearman_of_sides_of_different_lengths_is_refused():
    with pytest.raises(ValueError, match="1 and 2 values"):
        spearman([1.0], [1.0, 2.0])
