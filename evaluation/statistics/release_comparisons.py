"""Every comparison of a release: model with model, profile with profile, good behaviours with bad ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from evaluation.statistics.bootstrap import Floats, Integers, MetricWeights, cell_draws
from evaluation.statistics.comparison import PairedDifferences, excludes_zero, holm, paired_differences
from evaluation.statistics.counts import POOLED, Counts
from evaluation.statistics.pass_rates import CellDraws, Group

MODEL, PROFILE, POLARITY = "model", "profile", "polarity"
# A table as lists: one for each of `COLUMNS`.
Columns = dict[str, list[Any]]
COLUMNS = (
    "kind", "group", "key", "polarity", "profile", "model", "a", "b",
    "difference", "ci_low", "ci_high", "p", "n_metrics", "n_draws", "distinguishable", "distinguishable_adjusted",
)  # fmt: skip


@dataclass(frozen=True)
class DrawnGroup:
    """A group with the draws of its cells; `cells` are indices into `Counts.cells`."""

    group: Group
    cells: Integers
    drawn: CellDraws

    def row(self, cell: int) -> int | None:
        """The row of a cell in the draws."""
        return self._rows.get(cell)

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {int(cell): row for row, cell in enumerate(self.cells)}


@dataclass(frozen=True)
class _Side:
    """Half of a comparison: a name, the rows and the cell it counts, and its draws if it counts them all."""

    name: str
    cell: int


def model_comparisons(drawn: DrawnGroup, counts: Counts, weights: MetricWeights) -> Columns:
    """All pairs of models within each profile of the group, over the metrics judged for both (columns `COLUMNS`)."""
    tables = []
    for profile in _profiles(counts):
        sides = [_Side(model, cell) for cell, (model, of) in enumerate(counts.cells) if model and of == profile]
        names = {"kind": MODEL, "polarity": drawn.group.polarity, "profile": profile, "model": None}
        tables.append(_same_metrics(drawn, counts, weights, list(combinations(sides, 2)), names))
    return _joined(tables)


def profile_comparisons(drawn: DrawnGroup, counts: Counts, weights: MetricWeights) -> Columns:
    """All pairs of profiles of each model, and of all models together, over the metrics judged in both."""
    tables = []
    cell_of = {cell: index for index, cell in enumerate(counts.cells)}
    profiles = [profile for profile in _profiles(counts) if profile != POOLED]
    for model in _models(counts):
        sides = [_Side(profile, cell_of[(model, profile)]) for profile in profiles]
        names = {"kind": PROFILE, "polarity": drawn.group.polarity, "profile": None, "model": model}
        tables.append(_same_metrics(drawn, counts, weights, list(combinations(sides, 2)), names))
    return _joined(tables)


def polarity_comparisons(positive: DrawnGroup, negative: DrawnGroup, counts: Counts) -> Columns:
    """Positive minus negative pass rate of each model, and of all together, in each profile of one group.

    The two sides have no metric in common; the same draws still pair them, benchmark by benchmark. `n_metrics`
    counts the metrics of both.
    """
    rows = []
    for cell, (model, profile) in enumerate(counts.cells):
        sides = [(side, side.row(cell)) for side in (positive, negative)]
        found = [(side, row, _totals(side, counts, cell)) for side, row in sides if row is not None]
        if len(found) == 2 and all(judged for _, _, (_, judged, _) in found):
            rows.append((model, profile, found))
    if not rows:
        return _joined([])
    a, b = (np.stack([found[side][0].drawn.draws[found[side][1]] for *_, found in rows]) for side in (0, 1))
    fewest = np.array([min(found[0][2][2], found[1][2][2]) for *_, found in rows])
    differences = paired_differences(a, b, n_metrics=fewest)
    return _table(
        {
            "kind": POLARITY,
            "group": positive.group.name,
            "key": positive.group.key,
            "polarity": None,
            "profile": [profile for _, profile, _ in rows],
            "model": [model for model, *_ in rows],
            "a": "positive",
            "b": "negative",
            "difference": [_rate(found[0][2]) - _rate(found[1][2]) for *_, found in rows],
            "n_metrics": [found[0][2][2] + found[1][2][2] for *_, found in rows],
        },
        differences,
    )


def as_table(tables: Sequence[Columns]) -> pd.DataFrame:
    """All comparisons with `distinguishable_adjusted`: Holm's procedure within each family.

    A family of model pairs is all pairs of one (group, key, polarity, profile). The other kinds have one hypothesis
    a model: their family is all models of one (group, key, polarity, profile, a, b), all models together apart.
    """
    columns = _joined(tables)
    families: dict[tuple[object, ...], list[int]] = {}
    named = zip(
        *(columns[name] for name in ("kind", "group", "key", "polarity", "profile", "a", "b", "model")), strict=True
    )
    for row, (kind, group, key, polarity, profile, a, b, model) in enumerate(named):
        sides = () if kind == MODEL else (a, b, model is None)
        families.setdefault((kind, group, key, polarity, profile, *sides), []).append(row)
    adjusted: list[bool | None] = [None] * len(columns["kind"])
    for members in families.values():
        p = np.array([columns["p"][row] for row in members], dtype=np.float64)
        for row, is_rejected in zip(members, holm(p), strict=True):
            if columns["distinguishable"][row] is not None:
                adjusted[row] = bool(is_rejected)
    columns["distinguishable_adjusted"] = adjusted
    return pd.DataFrame({name: pd.Series(columns[name], dtype=object) for name in COLUMNS})


def _same_metrics(
    drawn: DrawnGroup,
    counts: Counts,
    weights: MetricWeights,
    pairs: Sequence[tuple[_Side, _Side]],
    names: Mapping[str, object],
) -> Columns:
    """Differences of pairs of cells over the metrics that both have judged."""
    judged, passed = counts.judged[drawn.group.members], counts.passed[drawn.group.members]
    kept = []
    for a, b in pairs:
        common = (judged[:, a.cell] > 0) & (judged[:, b.cell] > 0)
        if common.any() and drawn.row(a.cell) is not None and drawn.row(b.cell) is not None:
            kept.append((a, b, common))
    if not kept:
        return _joined([])
    draws_a, draws_b = np.empty((len(kept), weights.resamples)), np.empty((len(kept), weights.resamples))
    values = []
    for place, (a, b, common) in enumerate(kept):
        for side, draws in ((a, draws_a), (b, draws_b)):
            draws[place] = _draws_over(drawn, counts, weights, side.cell, common)
        values.append(_share(passed, judged, a.cell, common) - _share(passed, judged, b.cell, common))
    n_metrics = np.array([int(common.sum()) for *_, common in kept])
    columns = {
        **names,
        "group": drawn.group.name,
        "key": drawn.group.key,
        "a": [a.name for a, *_ in kept],
        "b": [b.name for _, b, _ in kept],
        "difference": values,
        "n_metrics": n_metrics.tolist(),
    }
    return _table(columns, paired_differences(draws_a, draws_b, n_metrics=n_metrics))


def _draws_over(drawn: DrawnGroup, counts: Counts, weights: MetricWeights, cell: int, common: np.ndarray) -> Floats:
    """The draws of one cell over some of its metrics: those at hand when they are all it has judged."""
    judged = counts.judged[drawn.group.members, cell]
    row = drawn.row(cell)
    if row is not None and not (judged[~common] > 0).any():
        whole: Floats = drawn.drawn.draws[row]
        return whole
    members = drawn.group.members[common]
    rows = weights.rows([counts.metrics[member] for member in members])
    part: Floats = cell_draws(
        weights, rows, counts.passed[members, cell][:, None], counts.judged[members, cell][:, None]
    )
    return part[0]


def _share(passed: Integers, judged: Integers, cell: int, common: np.ndarray) -> float:
    return int(passed[common, cell].sum()) / int(judged[common, cell].sum())


def _totals(side: DrawnGroup, counts: Counts, cell: int) -> tuple[int, int, int]:
    """(passed, judged, metrics) of a cell."""
    judged = counts.judged[side.group.members, cell]
    return int(counts.passed[side.group.members, cell].sum()), int(judged.sum()), int((judged > 0).sum())


def _rate(totals: tuple[int, int, int]) -> float:
    return totals[0] / totals[1]


def _table(columns: Mapping[str, object], differences: PairedDifferences) -> Columns:
    usable = differences.usable
    apart = excludes_zero(differences)
    size = len(usable)
    filled = {
        **{name: value if isinstance(value, list) else [value] * size for name, value in columns.items()},
        "ci_low": _or_none(differences.low, usable),
        "ci_high": _or_none(differences.high, usable),
        "p": _or_none(differences.p, usable),
        "n_draws": differences.n_draws.tolist(),
        # Without an interval nothing is known: null is not "cannot be told apart".
        "distinguishable": [bool(value) if known else None for value, known in zip(apart, usable, strict=True)],
        "distinguishable_adjusted": [None] * size,
    }
    return {name: filled[name] for name in COLUMNS}


def _or_none(values: Floats, usable: np.ndarray) -> list[float | None]:
    return [float(value) if known else None for value, known in zip(values, usable, strict=True)]


def _joined(tables: Sequence[Columns]) -> Columns:
    return {name: [value for table in tables for value in table[name]] for name in COLUMNS}


def _profiles(counts: Counts) -> list[str]:
    return list(dict.fromkeys(profile for _, profile in counts.cells))


def _models(counts: Counts) -> Iterator[str | None]:
    yield from dict.fromkeys(model for model, _ in counts.cells)
