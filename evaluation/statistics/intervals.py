"""The Wilson interval, used where a metric-cluster bootstrap cannot say anything."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The 0.975 quantile of the standard normal distribution, as a literal so that no library computes it.
Z_95 = 1.959963984540054


def wilson_interval(passed: ArrayLike, judged: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The 95 % score interval of proportions `passed / judged`, elementwise; NaN where nothing was judged.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927). It takes
    conversations as independent, so it ignores that those of one metric belong together. Only + - * / and sqrt
    are used, each correctly rounded by IEEE 754, so the bits are the same on every machine.
    """
    k, n = np.asarray(passed, dtype=np.float64), np.asarray(judged, dtype=np.float64)
    some = np.where(n > 0, n, np.nan)
    rate = k / some
    z2 = Z_95 * Z_95
    scale = 1.0 + z2 / some
    centre = (rate + z2 / (2.0 * some)) / scale
    half = Z_95 * np.sqrt(rate * (1.0 - rate) / some + z2 / (4.0 * some * some)) / scale
    # Rounding must not push an end past the bound it reaches exactly.
    low = np.where(k == 0, np.where(n > 0, 0.0, np.nan), centre - half)
    high = np.where(k == n, np.where(n > 0, 1.0, np.nan), centre + half)
    return low, high
