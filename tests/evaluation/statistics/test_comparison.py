"""Paired differences, Holm's procedure, tie groups and rank intervals."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from evaluation.statistics.comparison import (
    excludes_zero,
    holm,
    paired_differences,
    pairs_of,
    rank_intervals,
    tie_groups,
)


def test_paired_differences_are_nearest_ranks_of_the_draws():
    a = np.arange(1, 1001, dtype=float)[None, ::-1]
    b = np.zeros((1, 1000))

    found = paired_differences(a, b, n_metrics=np.array([5]))

    assert (found.low[0], found.high[0]) == (25.0, 975.0)
    assert found.p[0] == 1 / 1001
    assert excludes_zero(found).tolist() == [True]


def test_paired_differences_drop_draws_without_a_metric_and_count_them():
    a = np.array([[np.nan, *range(1, 100)]])

    found = paired_differences(a, np.zeros((1, 100)), n_metrics=np.array([5]))

    assert found.n_draws.tolist() == [99]
    assert (found.low[0], found.high[0]) == (3.0, 97.0)


@pytest.mark.parametrize(
    ("a", "n_metrics"),
    [
        (np.full((1, 100), 2.0), 5),  # no width
        (np.linspace(0, 1, 100)[None], 1),  # one metric
        (np.where(np.arange(100) < 85, np.linspace(0, 1, 100), np.nan)[None], 5),  # too few draws
    ],
)
def test_paired_differences_that_say_nothing_have_no_interval(a, n_metrics):
    found = paired_differences(a, np.zeros((1, 100)), n_metrics=np.array([n_metrics]))

    assert found.usable.tolist() == [False]
    assert np.isnan([found.low[0], found.high[0], found.p[0]]).all()
    assert excludes_zero(found).tolist() == [False]


def test_p_counts_draws_at_zero_on_both_sides():
    a = np.array([[-1.0] * 10 + [0.0] * 10 + [1.0] * 80])

    assert paired_differences(a, np.zeros((1, 100)), n_metrics=np.array([2])).p[0] == pytest.approx(0.4)


@pytest.mark.parametrize("seed", range(10))
def test_holm_equals_statsmodels(seed):
    p = np.random.default_rng(seed).random(30) ** 4

    assert holm(p).tolist() == multipletests(p, method="holm")[0].tolist()


def test_holm_leaves_what_has_no_p_out_of_the_family():
    assert holm(np.array([0.03, np.nan, 0.02])).tolist() == [True, False, True]
    assert holm(np.array([0.03, 0.9, 0.02])).tolist() == [False, False, False]


def test_tie_groups_open_where_an_item_is_distinct_from_the_first_of_its_group():
    rates = [0.5, 0.9, 0.85, 0.8]
    distinct = {(0, 1): True, (0, 2): True, (0, 3): True, (1, 2): False, (1, 3): True, (2, 3): False}

    assert tie_groups(rates, distinct) == [3, 1, 1, 2]


def test_rank_intervals_of_two_that_swap_overlap_and_of_one_far_below_do_not():
    words = np.random.default_rng(0)
    draws = np.stack([0.7 + 0.1 * words.random(1000), 0.7 + 0.1 * words.random(1000), np.full(1000, 0.2)])

    low, high = rank_intervals(draws)

    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])


def test_rank_intervals_without_a_whole_draw_say_nothing():
    low, high = rank_intervals(np.array([[np.nan, 1.0], [1.0, np.nan]]))

    assert (low.tolist(), high.tolist()) == ([1, 1], [2, 2])


def test_pairs_of_three():
    assert pairs_of(3) == [(0, 1), (0, 2), (1, 2)]
