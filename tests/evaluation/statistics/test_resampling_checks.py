"""The two other bootstraps that stand beside the percentile interval."""

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics.resampling_checks import bca_interval, percentile_interval, rescaled_draws


def test_rescaled_draws_have_the_unbiased_variance_where_the_plain_bootstrap_is_too_small():
    passed, judged = np.array([2, 9, 4]), np.array([10, 10, 10])
    rates = passed / judged

    drawn = rescaled_draws(passed, judged, ["s"] * 3, resamples=200_000, seed=1)

    # Cells of equal size: the variance of the mean of n metrics is s^2 / n with the n - 1 variance s^2.
    assert drawn.var() == pytest.approx(rates.var(ddof=1) / 3, rel=0.02)
    assert drawn.mean() == pytest.approx(rates.mean(), abs=0.002)


def test_rescaled_draws_keep_a_lone_metric():
    drawn = rescaled_draws(np.array([3]), np.array([4]), ["s"], resamples=50, seed=0)

    assert drawn.tolist() == [0.75] * 50
    assert percentile_interval(drawn) is None


def test_bca_interval_agrees_with_scipy_on_clusters_of_equal_size():
    words = np.random.default_rng(5)
    judged = np.full(40, 20)
    passed = words.binomial(20, words.beta(2, 1, 40))
    drawn = words.choice(passed / 20, (20_000, 40)).mean(axis=1)

    found = bca_interval(passed, judged, drawn)
    expected = stats.bootstrap(
        (passed / 20,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(6)
    ).confidence_interval

    assert found == pytest.approx((expected.low, expected.high), abs=0.003)


@pytest.mark.parametrize(
    ("passed", "draws"),
    [([1], [0.5, 0.6]), ([1, 2], [0.5, 0.5]), ([1, 2], [0.9, 0.95])],
)
def test_bca_interval_is_none_where_it_is_undefined(passed, draws):
    assert bca_interval(np.array(passed), np.full(len(passed), 4), np.array(draws)) is None
