"""The draws behind a release's intervals, made again from what the release froze: its counts by metric and its seed.

A release keeps no draws, but they are a function of its seed, the number of draws and the benchmark and polarity of
its metrics (`evaluation.statistics.bootstrap.metric_weights`). With the frozen counts of each metric every rate comes
out in every draw as it did at publishing, bit for bit, so that questions which publishing did not ask (a reader's own
weights, how often one model came out above another) get answers from the same repeats.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.models import LanguageModel, Release, Result
from evaluation.statistics.bootstrap import MetricWeights, cell_draws, metric_weights

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class DrawnRates:
    """Rates of models over some metrics: of the data itself (None without a verdict) and of each draw.

    `draws` has shape (models, draws), NaN where a draw gives a model no metric; `n_metrics` counts those judged.
    """

    rates: list[float | None]
    draws: Floats
    n_metrics: Integers


class ReleaseDraws:
    """The draws of some models in one polarity and one profile ('all' or a slug) of a release; reads in two queries."""

    def __init__(self, release: Release, models: Sequence[LanguageModel], *, polarity: str, profile: str) -> None:
        self._weights = weights_of(release)
        column = {model.pk: place for place, model in enumerate(models)}
        counts = Result.objects.filter(
            release=release, group=Result.Group.METRIC, polarity=polarity, profile=profile, model__in=models
        ).order_by()
        found = list(counts.values_list("key", "model_id", "n_passed", "n_judged"))
        self._row = {metric: row for row, metric in enumerate(sorted({metric for metric, *_ in found}))}
        self._passed, self._judged = np.zeros((2, len(self._row), len(models)), dtype=np.int64)
        for metric, model, n_passed, n_judged in found:
            place = self._row[metric], column[model]
            self._passed[place], self._judged[place] = n_passed, n_judged

    def over(self, metrics: Collection[str]) -> DrawnRates:
        """The rates over those of `metrics` that have the polarity, each model over what it has judged."""
        return self._drawn([metric for metric in sorted(metrics) if metric in self._row])

    def over_shared(self, metrics: Collection[str]) -> DrawnRates:
        """The same over the metrics judged for every one of the models: what a difference is taken over."""
        known = [metric for metric in sorted(metrics) if metric in self._row]
        return self._drawn([metric for metric in known if (self._judged[self._row[metric]] > 0).all()])

    def judged(self, metrics: Collection[str]) -> Integers:
        """How many chats were judged, (metrics, models): those of `metrics` that have the polarity, each once."""
        return self._judged[[self._row[metric] for metric in sorted(set(metrics)) if metric in self._row]]

    def _drawn(self, metrics: list[str]) -> DrawnRates:
        rows = np.array([self._row[metric] for metric in metrics], dtype=np.int64)
        passed, judged = self._passed[rows], self._judged[rows]
        totals = zip(passed.sum(axis=0).tolist(), judged.sum(axis=0).tolist(), strict=True)
        return DrawnRates(
            rates=[n_passed / n_judged if n_judged else None for n_passed, n_judged in totals],
            draws=cell_draws(self._weights, self._weights.rows(metrics), passed, judged),
            n_metrics=(judged > 0).sum(axis=0),
        )


def weights_of(release: Release) -> MetricWeights:
    """How often each metric stands in each draw of the release; one query."""
    return _weights(_strata(release), release.resamples, release.seed)


def _strata(release: Release) -> tuple[tuple[str, str, str], ...]:
    """(metric, benchmark, polarity) of every metric that took part in the release's draws."""
    took_part = Result.objects.filter(release=release, group=Result.Group.METRIC).values("key")
    versions = release.metric_versions.filter(polarity__isnull=False, metric__slug__in=took_part)
    values = versions.values_list("metric__slug", "metric__benchmark__slug", "polarity")
    return tuple(sorted((metric, benchmark, polarity or "") for metric, benchmark, polarity in values))


# One release at a time: 10,000 draws of 809 metrics take 30 MB and most of a second.
@lru_cache(maxsize=1)
def _weights(strata: tuple[tuple[str, str, str], ...], resamples: int, seed: int) -> MetricWeights:
    return metric_weights(
        {metric: (benchmark, polarity) for metric, benchmark, polarity in strata}, resamples=resamples, seed=seed
    )
