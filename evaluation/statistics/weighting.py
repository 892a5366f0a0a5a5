"""A reader's own values: how the models stand when some areas of life count more than others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.comparison import rank_intervals
from evaluation.statistics.resampling_checks import percentile_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weighted:
    """One model under a reader's weights; None where it lacks data in an area that counts."""

    value: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None


def weighted_rates(
    rates: Mapping[str, Sequence[float | None]], weights: Mapping[str, float], draws: Mapping[str, Floats]
) -> list[Weighted]:
    """Each model's mean of area rates under the reader's weights, its interval, and the interval of its rank.

    `rates[area]` holds a rate for each model, `draws[area]` the same cells' draws (models, draws). Weights are
    relative and not negative; areas with weight 0 take no part. A model without a rate in an area that counts gets
    none and no rank: leaving the area out for it alone would compare different things. Raises ValueError for a
    negative weight, no weight above 0, or an area that is not there.
    """
    chosen = {area: float(weight) for area, weight in weights.items() if weight}
    _check(chosen, rates)
    total = sum(chosen.values())
    n_models = len(next(iter(rates.values())))
    complete = [model for model in range(n_models) if all(rates[area][model] is not None for area in chosen)]
    if not complete:
        return [Weighted(None, None, None, None, None)] * n_models
    mixed = sum(draws[area][complete] * (weight / total) for area, weight in chosen.items())
    first, last = rank_intervals(np.asarray(mixed))
    found = [Weighted(None, None, None, None, None)] * n_models
    for place, model in enumerate(complete):
        value = sum(float(rates[area][model] or 0.0) * weight for area, weight in chosen.items()) / total
        low, high = _ends(np.asarray(mixed)[place])
        found[model] = Weighted(value, low, high, int(first[place]), int(last[place]))
    return found


def _ends(drawn: Floats) -> tuple[float | None, float | None]:
    if np.isnan(drawn).sum() * 10 > len(drawn):
        return None, None
    return percentile_interval(drawn) or (None, None)


def _check(chosen: Mapping[str, float], rates: Mapping[str, Sequence[float | None]]) -> None:
    unknown = sorted(set(chosen) - set(rates))
    if unknown:
        raise ValueError(f"there is no area {unknown[0]!r}")
    if any(weight < 0 for weight in chosen.values()):
        raise ValueError("a weight cannot be negative")
    if not chosen:
        raise ValueError("at least one area must count")
