"""The Wilson interval against scipy's."""

import numpy as np
from scipy.stats import binomtest

from evaluation.statistics.intervals import wilson_interval


def test_wilson_interval_agrees_with_scipy():
    cells = [(k, n) for n in (1, 2, 3, 6, 36, 1476) for k in {0, 1, n // 3, n - 1, n}]
    passed, judged = (np.array(side) for side in zip(*cells, strict=True))

    low, high = wilson_interval(passed, judged)

    theirs = [binomtest(k, n).proportion_ci(method="wilson") for k, n in cells]
    np.testing.assert_allclose(low, [interval.low for interval in theirs], atol=1e-14)
    np.testing.assert_allclose(high, [interval.high for interval in theirs], atol=1e-14)


def test_wilson_interval_touches_its_bounds_exactly():
    low, high = wilson_interval([0, 7], [7, 7])

    assert (low[0], high[1]) == (0.0, 1.0)


def test_wilson_interval_of_nothing_is_missing():
    low, high = wilson_interval([0], [0])

    assert np.isnan(low).all()
    assert np.isnan(high).all()
