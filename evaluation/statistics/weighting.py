"""A reader's own values: how the models stand when some areas of life count more than others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.comparison import excludes_zero, holm, paired_differences, pairs_of, rank_intervals
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
    mixed = mixed_draws(chosen, draws)[complete]
    first, last = rank_intervals(mixed)
    found = [Weighted(None, None, None, None, None)] * n_models
    for place, model in enumerate(complete):
        value = sum(float(rates[area][model] or 0.0) * weight for area, weight in chosen.items()) / total
        low, high = _ends(mixed[place])
        found[model] = Weighted(value, low, high, int(first[place]), int(last[place]))
    return found


def mixed_draws(weights: Mapping[str, float], draws: Mapping[str, Floats]) -> Floats:
    """The weighted mean of the areas' draws, (models, draws); weights as in `weighted_rates`, some above 0."""
    total = sum(weights.values())
    mixed: Floats = np.sum([draws[area] * (weight / total) for area, weight in weights.items() if weight], axis=0)
    return mixed


def told_apart(mixed: Floats, *, n_metrics: int) -> dict[tuple[int, int], bool | None]:
    """For each pair i < j of models whether i is told to be higher (True), lower (False) or neither (None).

    From draws (models, draws) that rest on `n_metrics` metrics: paired differences with Holm's correction over all
    these pairs, as a release decides (`release_comparisons`).
    """
    pairs = pairs_of(len(mixed))
    if not pairs:
        return {}
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    differences = paired_differences(mixed[first], mixed[second], n_metrics=np.full(len(pairs), n_metrics))
    decided = holm(differences.p) & excludes_zero(differences)
    return {
        pair: bool(low > 0) if is_decided else None
        for pair, is_decided, low in zip(pairs, decided, differences.low, strict=True)
    }


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
