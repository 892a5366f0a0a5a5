"""What hangs on the choice and the weight of benchmarks, by hand and against scipy."""

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics.sensitivity import (
    Reversal,
    Share,
    benchmark_versus_rest,
    equal_benchmark,
    gap,
    halves,
    leave_one_benchmark_out,
    pooled,
    profile_consistency,
    reversals,
)

# Two models, three benchmarks: A leads overall, but only because of the first benchmark.
PASSED = np.array([[9, 1], [4, 6], [5, 5]])
JUDGED = np.array([[10, 10], [10, 10], [10, 10]])


def test_pooled_counts_every_conversation_the_same():
    assert pooled(PASSED, JUDGED) == [Share(18 / 30, 30), Share(12 / 30, 30)]


def test_equal_benchmark_is_the_mean_of_the_benchmarks_that_have_data():
    judged = np.array([[10, 10], [10, 0], [20, 10]])
    passed = np.array([[9, 1], [4, 0], [5, 5]])

    assert equal_benchmark(passed, judged) == [
        Share((0.9 + 0.4 + 0.25) / 3, 3),
        Share((0.1 + 0.5) / 2, 2),
    ]


def test_leave_one_benchmark_out_pools_the_rest_and_is_none_without_a_rest():
    assert leave_one_benchmark_out(PASSED, JUDGED)[0] == [Share(9 / 20, 20), Share(11 / 20, 20)]
    assert leave_one_benchmark_out(PASSED[:1], JUDGED[:1]) == [[Share(None, 0), Share(None, 0)]]


def test_reversals_name_the_benchmark_that_decides_the_order():
    assert reversals(PASSED, JUDGED) == [Reversal(0, 1, (0,))]


def test_reversals_of_a_tie_are_none():
    assert reversals(np.array([[5, 5], [6, 4], [4, 6]]), np.full((3, 2), 10)) == []


def test_benchmark_versus_rest_equals_scipy():
    words = np.random.default_rng(2)
    judged = words.integers(20, 60, (26, 10))
    passed = (judged * words.random((26, 10))).astype(int)
    passed[3, :2], judged[3, :2] = 7, 21

    found = benchmark_versus_rest(passed, judged)

    rest = (passed.sum(axis=0) - passed) / (judged.sum(axis=0) - judged)
    expected = [stats.spearmanr(a, b).statistic for a, b in zip(passed / judged, rest, strict=True)]
    assert [item.value for item in found] == pytest.approx(expected, abs=1e-14)


def test_profile_consistency_counts_only_benchmarks_with_both_profiles():
    teen = (np.array([[1], [2], [3], [0]]), np.array([[4], [4], [4], [0]]))
    adult = (np.array([[2], [3], [4], [4]]), np.array([[5], [5], [5], [5]]))

    (found,) = profile_consistency(teen, adult)

    assert (found.value, found.n, found.reason) == (pytest.approx(1.0), 3, "")


def test_gap_is_positive_minus_negative_and_none_without_one_of_them():
    assert gap(Share(0.75, 40), Share(0.5, 60)) == Share(0.25, 100)
    assert gap(Share(None, 0), Share(0.5, 60)) == Share(None, 0)


def test_halves_leave_out_the_middle_and_models_without_data():
    shares = [Share(0.1, 1), Share(0.9, 1), Share(None, 0), Share(0.5, 1), Share(0.7, 1), Share(0.2, 1)]

    assert halves(shares) == ([1, 4], [5, 0])
