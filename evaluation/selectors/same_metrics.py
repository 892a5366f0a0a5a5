"""One model over several releases, counted over what all of them measured alike: the same metrics, the same people."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from evaluation.models import LanguageModel, Release, Result
from evaluation.selectors import kept
from evaluation.selectors.metric_counts import metric_counts
from evaluation.statistics.counts import POOLED, sum_up
from evaluation.statistics.pass_rates import (
    as_table,
    cells_of,
    draw_cells,
    group_columns,
    groups_of,
    weights_of,
)


def same_metrics(model: LanguageModel, releases: Sequence[Release]) -> list[Result]:
    """Unsaved overall results of `model`, one a release and polarity; none where nothing is common to all of them.

    Common is a metric in the same wording of which every release has a judged conversation of the model, in profiles
    that all of them have. From the frozen counts, with the draws of the first release: one draw of the metrics
    serves all releases (ImpactBench paper, section 3.6). Computed once.
    """
    if not releases:
        return []
    by_pk = {release.pk: release for release in releases}
    name = kept.name_of("same-metrics", releases, model.pk)
    rows = kept.once(name, lambda: _rows(model, releases))
    return [Result(**{**row, "key": "", "model": model, "release": by_pk[int(row["model"])]}) for row in rows]


def _rows(model: LanguageModel, releases: Sequence[Release]) -> list[dict[str, Any]]:
    """The fields of the results, where the key of a release stands in for a model."""
    table = _common(metric_counts(releases, model=model), len(releases))
    if table.empty:
        return []
    names = sorted({release.pk for release in releases})
    counts = sum_up(table, models=[str(pk) for pk in names], profiles=sorted(set(table["profile"])))
    weights = weights_of(counts, resamples=releases[0].resamples, seed=releases[0].seed)
    groups = [group for group in groups_of(counts, {}) if group.name == Result.Group.OVERALL]
    found = as_table(
        group_columns(group, cells, counts, draw_cells(group, cells, counts, weights))
        for group in groups
        for cells in [cells_of(group, counts)]
    )
    rows: list[dict[str, Any]] = found.to_dict("records")  # type: ignore[assignment]
    return [row for row in map(_without_missing, rows) if row["model"] is not None and row["profile"] == POOLED]


def _common(counts: pd.DataFrame, n_releases: int) -> pd.DataFrame:
    """The counts of profiles and metric versions that all releases have, a release standing in for a model."""

    def shared(column: str) -> list[object]:
        n = counts.groupby(column)["release"].nunique()
        return list(n[n == n_releases].index)

    counts = counts[counts["profile"].isin(shared("profile"))]
    counts = counts[counts["version"].isin(shared("version"))]
    return counts.assign(model=counts["release"].astype(str))


def _without_missing(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table with None for what pandas calls missing."""
    return {name: None if not isinstance(value, dict) and pd.isna(value) else value for name, value in row.items()}
