"""One model over several releases, counted over what all of them measured alike: the same metrics, the same people."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from evaluation.models import LanguageModel, Release, Result, Verdict
from evaluation.statistics.counts import POOLED, count
from evaluation.statistics.pass_rates import as_table, cells_of, draw_cells, group_columns, groups_of, weights_of

FIELDS = {
    "release_id": "model",
    "conversation_id": "conversation",
    "metric_version__metric__benchmark__slug": "benchmark",
    "metric_version__metric__slug": "metric",
    "metric_version_id": "version",
    "metric_version__polarity": "polarity",
    "profile__slug": "profile",
    "present": "present",
}


def same_metrics(model: LanguageModel, releases: Sequence[Release]) -> list[Result]:
    """Unsaved overall results of `model`, one a release and polarity; none where nothing is common to all of them.

    Common is a metric in the same wording of which every release has a judged conversation of the model, in profiles
    that all of them have. From the frozen verdicts, with the draws of the first release: one draw of the metrics
    serves all releases (ImpactBench paper, section 3.6).
    """
    verdicts = _common(_verdicts(model, releases), len(releases))
    if verdicts.empty:
        return []
    by_pk = {release.pk: release for release in releases}
    names = sorted(by_pk)
    counts = count(verdicts, models=[str(pk) for pk in names], profiles=sorted(set(verdicts["profile"])))
    weights = weights_of(counts, resamples=releases[0].resamples, seed=releases[0].seed)
    groups = [group for group in groups_of(counts, {}) if group.name == Result.Group.OVERALL]
    table = as_table(
        group_columns(group, cells, counts, draw_cells(group, cells, counts, weights))
        for group in groups
        for cells in [cells_of(group, counts)]
    )
    rows: list[dict[str, Any]] = table.to_dict("records")  # type: ignore[assignment]
    return [
        Result(**{**row, "key": "", "model": model, "release": by_pk[int(row["model"])]})
        for row in map(_without_missing, rows)
        if row["model"] is not None and row["profile"] == POOLED
    ]


def _verdicts(model: LanguageModel, releases: Sequence[Release]) -> pd.DataFrame:
    rows = Verdict.objects.filter(model=model, release__in=releases, passed__isnull=False).values_list(*FIELDS)
    verdicts = pd.DataFrame(list(rows), columns=list(FIELDS.values()))
    return verdicts.assign(ended=True, reason="")


def _common(verdicts: pd.DataFrame, n_releases: int) -> pd.DataFrame:
    """The verdicts of profiles and metric versions that all releases have, a release standing in for a model."""

    def shared(column: str) -> list[object]:
        n = verdicts.groupby(column)["model"].nunique()
        return list(n[n == n_releases].index)

    verdicts = verdicts[verdicts["profile"].isin(shared("profile"))]
    verdicts = verdicts[verdicts["version"].isin(shared("version"))]
    releases = verdicts["model"].astype(str)
    return verdicts.assign(model=releases, conversation=releases + "-" + verdicts["conversation"].astype(str))


def _without_missing(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table with None for what pandas calls missing."""
    return {name: None if not isinstance(value, dict) and pd.isna(value) else value for name, value in row.items()}
