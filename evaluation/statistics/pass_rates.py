"""Every pass rate of a release: by group, model, polarity and profile, with its interval and its coverage."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import (
    Intervals,
    MetricWeights,
    cell_draws,
    metric_weights,
    percentile_intervals,
)
from evaluation.statistics.counts import Counts, count
from evaluation.statistics.intervals import wilson_interval
from evaluation.statistics.verdicts import majority, outcome

__all__ = ["COLUMNS", "majority", "outcome", "release_results", "wilson_interval"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
GroupKey = str | tuple[str, str]
# The keys are GroupKey; Mapping is invariant in its key, which would refuse a caller's plain dict[str, ...].
Groups = Mapping[str, Mapping[Any, Collection[str]]]

BOOTSTRAP, WILSON, NONE = "metric-cluster-bootstrap", "wilson", "none"
# Bounds the memory of draws: this many cells of a group are drawn at once.
CELLS_AT_ONCE = 64


@dataclass(frozen=True)
class CellDraws:
    """The pass rates of cells in every draw, (cells, draws), and how many draws give each cell a metric.

    Rows of cells with fewer than two judged metrics hold NaN throughout: their draws tell nothing.
    """

    draws: Floats
    n_draws: Integers


COLUMNS = (
    "group", "key", "model", "polarity", "profile",
    "n_metrics", "n_planned", "n_conversations", "n_judged", "n_unjudged", "n_passed", "pass_rate",
    "ci_low", "ci_high", "ci50_low", "ci50_high", "ci_method", "n_draws", "coverage", "unjudged_reasons",
)  # fmt: skip


@dataclass(frozen=True)
class Group:
    """One group in one polarity; `members` are rows of the counts."""

    name: str
    key: str | None
    polarity: str
    members: Integers


def release_results(
    verdicts: pd.DataFrame,
    groups: Groups,
    *,
    profiles: Sequence[str],
    models: Sequence[str],
    resamples: int,
    seed: int,
) -> pd.DataFrame:
    """All results of a release, one row per (group, key, model, polarity, profile), columns `COLUMNS`.

    `verdicts` has one row per planned conversation that counts: conversation, benchmark, metric (slug), polarity
    ('positive', 'negative', None), model, profile, ended (it reached an end), present (True, False, None), reason
    (of an unjudged one). Row order does not matter. `groups` maps 'area', 'subarea', 'benchmark', 'label-row' to
    {key: metric slugs}; a key may be (key, polarity) where the group has that polarity only. 'overall' (key None)
    and 'metric' are added here. Metrics of unknown polarity, and listed metrics without a verdict row, take no part.

    A row exists when at least one of the group's metrics of that polarity was planned in that profile for some
    model, and the model has anything planned in that polarity and profile; so a tested model without data in a
    group has a row with n_judged 0 there. model None pools the models, profile 'all' the profiles. Rates and
    intervals are None, never 0, without data (ImpactBench paper, section 3.6; contract.md, 'Meanings').

    Raises ValueError when verdicts contradict themselves or name an unlisted model or profile.
    """
    counts = count(verdicts, models=models, profiles=profiles)
    weights = weights_of(counts, resamples=resamples, seed=seed)
    return as_table(
        group_columns(group, cells, counts, draw_cells(group, cells, counts, weights))
        for group in groups_of(counts, groups)
        for cells in [cells_of(group, counts)]
    )


def weights_of(counts: Counts, *, resamples: int, seed: int) -> MetricWeights:
    """The draws of a release: metrics within benchmark and polarity."""
    strata = dict(zip(counts.metrics, zip(counts.benchmarks, counts.polarities, strict=True), strict=True))
    return metric_weights(strata, resamples=resamples, seed=seed)


def as_table(tables: Iterable[dict[str, list[object]]]) -> pd.DataFrame:
    """The rows of all groups, in their order, with columns `COLUMNS`."""
    found = list(tables)
    columns = {name: [value for table in found for value in table[name]] for name in COLUMNS}
    return pd.DataFrame({name: pd.Series(values, dtype=_dtype(name)) for name, values in columns.items()})


def _dtype(column: str) -> str:
    return "int64" if column.startswith("n_") else "object"


def groups_of(counts: Counts, groups: Groups) -> Iterator[Group]:
    """The groups in a fixed order, each once for every polarity it has metrics of."""
    everything: Groups = {
        "overall": {"": counts.metrics},
        **groups,
        "metric": {metric: (metric,) for metric in counts.metrics},
    }
    position = {metric: row for row, metric in enumerate(counts.metrics)}
    for name, keyed in everything.items():
        for key, metrics in sorted(keyed.items(), key=_key_and_polarity):
            slug, *only = _key_and_polarity((key, metrics))
            rows = sorted({position[metric] for metric in metrics if metric in position})
            for polarity in only or ("positive", "negative"):
                members = [row for row in rows if counts.polarities[row] == polarity]
                if members:
                    yield Group(name, slug or None, polarity, np.array(members, dtype=np.int64))


def _key_and_polarity(item: tuple[GroupKey, Collection[str]]) -> tuple[str, ...]:
    """(key,) or (key, polarity) of one entry of a group."""
    key = item[0]
    return (key,) if isinstance(key, str) else key


def cells_of(group: Group, counts: Counts) -> Integers:
    """The cells in which the group has a row (see `release_results`), as indices into `counts.cells`."""
    planned = counts.planned[np.array(counts.polarities, dtype=object) == group.polarity].sum(axis=0) > 0
    return np.flatnonzero(planned & (_metrics_in_profile(group, counts) > 0))


def draw_cells(group: Group, cells: Integers, counts: Counts, weights: MetricWeights) -> CellDraws:
    """The pass rates of a group's cells in every draw; see `CellDraws`."""
    draws = np.full((len(cells), weights.resamples), np.nan)
    n_metrics = _n_metrics(group, cells, counts)
    n_draws = np.zeros(len(cells), dtype=np.int64)
    rows = weights.rows([counts.metrics[member] for member in group.members])
    several = np.flatnonzero(n_metrics >= 2)
    for first in range(0, len(several), CELLS_AT_ONCE):
        block = several[first : first + CELLS_AT_ONCE]
        chosen = np.ix_(group.members, cells[block])
        draws[block] = cell_draws(weights, rows, counts.passed[chosen], counts.judged[chosen])
    n_draws[several] = (~np.isnan(draws[several])).sum(axis=1)
    for alone in np.flatnonzero(n_metrics == 1):
        n_draws[alone] = weights.n_drawn[rows[counts.judged[group.members, cells[alone]] > 0][0]]
    return CellDraws(draws, n_draws)


def group_columns(group: Group, cells: Integers, counts: Counts, drawn: CellDraws) -> dict[str, list[object]]:
    """The rows of one group, a list for each of `COLUMNS`; `drawn` as `draw_cells` gives it."""

    def total(matrix: Integers) -> Integers:
        return matrix[np.ix_(group.members, cells)].sum(axis=0)

    n_judged, n_passed, n_ended = total(counts.judged), total(counts.passed), total(counts.ended)
    n_metrics = _n_metrics(group, cells, counts)
    reasons = {reason: total(matrix) for reason, matrix in counts.unjudged.items()}
    n = len(cells)
    in_profile = _metrics_in_profile(group, counts)[cells]
    return {
        "group": [group.name] * n,
        "key": [group.key] * n,
        "model": [counts.cells[cell][0] for cell in cells],
        "polarity": [group.polarity] * n,
        "profile": [counts.cells[cell][1] for cell in cells],
        "n_metrics": n_metrics.tolist(),
        "n_planned": total(counts.planned).tolist(),
        "n_conversations": n_ended.tolist(),
        "n_judged": n_judged.tolist(),
        "n_unjudged": (n_ended - n_judged).tolist(),
        "n_passed": n_passed.tolist(),
        "pass_rate": [int(k) / int(m) if m else None for k, m in zip(n_passed, n_judged, strict=True)],
        "coverage": [int(k) / int(m) for k, m in zip(n_metrics, in_profile, strict=True)],
        "unjudged_reasons": [
            {reason: int(counted[i]) for reason, counted in reasons.items() if counted[i]} for i in range(n)
        ],
        **_interval_columns(percentile_intervals(drawn.draws, n_metrics, drawn.n_draws), n_passed, n_judged),
    }


def _n_metrics(group: Group, cells: Integers, counts: Counts) -> Integers:
    judged: Integers = (counts.judged[np.ix_(group.members, cells)] > 0).sum(axis=0)
    return judged


def _metrics_in_profile(group: Group, counts: Counts) -> Integers:
    """How many of the group's metrics were planned at all in each cell's profile."""
    n_profiles = len({profile for _, profile in counts.cells})
    # The first cells are those of all models together, one a profile.
    in_profile = (counts.planned[group.members][:, :n_profiles] > 0).sum(axis=0)
    return np.tile(in_profile, len(counts.cells) // n_profiles)


def _interval_columns(intervals: Intervals, n_passed: Integers, n_judged: Integers) -> dict[str, list[object]]:
    """Each cell's method: its draws, the Wilson interval where those are unusable, nothing without data."""
    columns: dict[str, list[object]] = {
        name: [] for name in ("ci_low", "ci_high", "ci50_low", "ci50_high", "ci_method", "n_draws")
    }
    low, high = wilson_interval(n_passed, n_judged)
    for i, usable in enumerate(intervals.usable):
        if n_judged[i] == 0:
            ends: tuple[float | None, ...] = (None, None, None, None)
            method = NONE
        elif usable:
            drawn = (intervals.low, intervals.high, intervals.low50, intervals.high50)
            ends = tuple(float(end[i]) for end in drawn)
            method = BOOTSTRAP
        else:
            ends = (float(low[i]), float(high[i]), None, None)
            method = WILSON
        for name, end in zip(("ci_low", "ci_high", "ci50_low", "ci50_high"), ends, strict=True):
            columns[name].append(end)
        columns["ci_method"].append(method)
        columns["n_draws"].append(int(intervals.n_draws[i]))
    return columns
