"""How results changed between two releases, over what both measured in the same way.

For a model m and a group G in one polarity, C are the metrics of G, in the same wording in both releases, of which m
has a judged conversation in both (of profiles that both have). With p and n the passed and judged conversations of a
metric i:

    change = sum(C) p_new,i / sum(C) n_new,i  -  sum(C) p_old,i / sum(C) n_old,i

The two releases are independent runs of the same metrics. So each draw of the metric-cluster bootstrap (metrics of C
with replacement within benchmark and polarity, ImpactBench paper, section 3.6) weighs both releases alike:

    change_b = sum w_b,i p_new,i / sum w_b,i n_new,i  -  sum w_b,i p_old,i / sum w_b,i n_old,i

and the 95 % percentiles of change_b are the interval. All conversations of a metric stay together, so that the chance
of the single conversations is in it as far as it shows between metrics. Pooled over models, C holds pairs of metric
and model.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evaluation.statistics.bootstrap import Integers, MetricWeights, cell_draws, metric_weights
from evaluation.statistics.comparison import holm, paired_differences
from evaluation.statistics.report.tables import POLARITIES, POLARITY_NAMES, Column, ReportTable, Row, interval

WORSE, BETTER = "worse", "better"
ALL_MODELS = "All models in both"
# A smaller change is no regression, however sure it is.
THRESHOLD = 0.05
LEVEL = 0.05


@dataclass(frozen=True)
class Change:
    """One change. `model` None pools the models; without an interval `low`, `high` and `p` are None.

    `flag` is 'worse' or 'better' where the change is at least the threshold and its interval leaves out 0.
    `holds_adjusted` says whether it is told apart from 0 after Holm over the models of its group and polarity.
    """

    group: str
    key: str
    model: str | None
    polarity: str
    n_metrics: int
    old_judged: int
    new_judged: int
    old_rate: float
    new_rate: float
    change: float
    low: float | None
    high: float | None
    p: float | None
    flag: str = ""
    holds_adjusted: bool | None = None


@dataclass(frozen=True)
class _Common:
    """Counts of what both releases have, metrics by cells; the first cell pools the models."""

    metrics: list[str]
    polarity: dict[str, str]
    cells: list[str | None]
    old: tuple[Integers, Integers]
    new: tuple[Integers, Integers]


def changes(
    old: pd.DataFrame,
    new: pd.DataFrame,
    groups: Mapping[str, Mapping[str, Collection[str]]],
    *,
    resamples: int,
    seed: int,
    threshold: float = THRESHOLD,
) -> list[Change]:
    """Every change: overall, then each key of `groups`, in each polarity, all models together first.

    `old` and `new` have one row a metric of known polarity, model and profile: benchmark, metric, version, polarity,
    model, profile, and how many conversations passed of those judged (passed, judged). A change exists where both
    releases have judged at least one of the metrics for the model.
    """
    common = _common(old, new)
    if not common.metrics:
        return []
    benchmark = dict(zip(new["metric"], new["benchmark"], strict=True))
    strata = {metric: (benchmark[metric], common.polarity[metric]) for metric in common.metrics}
    weights = metric_weights(strata, resamples=resamples, seed=seed)
    everything = {"overall": {"": common.metrics}, **groups}
    found = []
    for group, keyed in everything.items():
        for key, members in keyed.items():
            for polarity in POLARITIES:
                rows = [
                    row
                    for row, metric in enumerate(common.metrics)
                    if metric in set(members) and common.polarity[metric] == polarity
                ]
                if rows:
                    part = list(_of_group(common, weights, np.array(rows), (group, key, polarity)))
                    found += _decided(part, threshold)
    return found


def _common(old: pd.DataFrame, new: pd.DataFrame) -> _Common:
    """What stands in both: metric in the same wording, model, profile; then each pair of metric and model."""
    same = old[["metric", "version"]].drop_duplicates().merge(new[["metric", "version"]].drop_duplicates())
    profiles, models = (sorted(set(old[name]) & set(new[name])) for name in ("profile", "model"))
    wording = set(zip(same["metric"], same["version"], strict=True))
    metrics = sorted(metric for metric, _ in wording)
    tables = []
    for table in (old, new):
        fits = np.array([pair in wording for pair in zip(table["metric"], table["version"], strict=True)], dtype=bool)
        kept = table[fits & table["profile"].isin(profiles) & table["model"].isin(models)]
        counted = kept.groupby(["metric", "model"])[["passed", "judged"]].sum()
        index = pd.MultiIndex.from_product([metrics, models], names=["metric", "model"])
        shape = (len(metrics), len(models))
        filled = counted.reindex(index, fill_value=0)
        tables.append([filled[name].to_numpy(dtype=np.int64).reshape(shape) for name in ("passed", "judged")])
    both = (tables[0][1] > 0) & (tables[1][1] > 0)
    pooled = [tuple(_with_pool(np.where(both, counts, 0)) for counts in table) for table in tables]
    used = pooled[0][1][:, 0] > 0
    polarity = dict(zip(new["metric"], new["polarity"], strict=True))
    (old_passed, old_judged), (new_passed, new_judged) = pooled
    return _Common(
        metrics=[metric for metric, keep in zip(metrics, used, strict=True) if keep],
        polarity=polarity,
        cells=[None, *models],
        old=(old_passed[used], old_judged[used]),
        new=(new_passed[used], new_judged[used]),
    )


def _with_pool(counts: Integers) -> Integers:
    return np.concatenate([counts.sum(axis=1, keepdims=True), counts], axis=1)


def _of_group(common: _Common, weights: MetricWeights, rows: Integers, names: tuple[str, str, str]) -> Iterator[Change]:
    """The changes of all cells of one group and polarity, not yet decided upon."""
    at = weights.rows([common.metrics[row] for row in rows])
    old, new = ([counts[rows] for counts in release] for release in (common.old, common.new))
    n_metrics = (old[1] > 0).sum(axis=0)
    draws = [cell_draws(weights, at, passed, judged) for passed, judged in (new, old)]
    found = paired_differences(*draws, n_metrics=n_metrics)
    group, key, polarity = names
    for cell, model in enumerate(common.cells):
        if n_metrics[cell] == 0:
            continue
        old_rate, new_rate = (int(passed[:, cell].sum()) / int(judged[:, cell].sum()) for passed, judged in (old, new))
        ends = (found.low[cell], found.high[cell], found.p[cell])
        low, high, p = (float(end) if found.usable[cell] else None for end in ends)
        yield Change(
            group=group,
            key=key,
            model=model,
            polarity=polarity,
            n_metrics=int(n_metrics[cell]),
            old_judged=int(old[1][:, cell].sum()),
            new_judged=int(new[1][:, cell].sum()),
            old_rate=old_rate,
            new_rate=new_rate,
            change=new_rate - old_rate,
            low=low,
            high=high,
            p=p,
        )


def _decided(found: Sequence[Change], threshold: float) -> list[Change]:
    """The changes with their flags, and Holm's decision over the models (all together are a family of their own)."""
    holds = holm(np.array([np.nan if one.p is None or one.model is None else one.p for one in found]))
    return [
        replace(
            one,
            flag=_flag(one, threshold),
            holds_adjusted=None if one.p is None else bool(held) if one.model is not None else one.p <= LEVEL,
        )
        for one, held in zip(found, holds, strict=True)
    ]


def _flag(one: Change, threshold: float) -> str:
    # A change of exactly the threshold counts, whatever the last bit of a difference of floats says.
    if one.low is None or one.high is None or round(abs(one.change), 12) < threshold:
        return ""
    return WORSE if one.high < 0 else BETTER if one.low > 0 else ""


def change_table(
    found: Sequence[Change], *, models: Mapping[str, str], places: Mapping[tuple[str, str], str], points: float
) -> ReportTable:
    """The changes as a table of a report; `places` names (group, key), `points` is the threshold in points."""
    rows: list[Row] = [
        {
            "place": places.get((one.group, one.key), one.key) if one.key else "Everything",
            "group": one.group,
            "key": one.key,
            "polarity": POLARITY_NAMES[one.polarity],
            "model": ALL_MODELS if one.model is None else models.get(one.model, one.model),
            "old": one.old_rate,
            "old_judged": one.old_judged,
            "new": one.new_rate,
            "new_judged": one.new_judged,
            "difference": one.change,
            "interval": interval({"ci_low": one.low, "ci_high": one.high}),
            "metrics": one.n_metrics,
            "flag": one.flag,
            "adjusted": one.holds_adjusted,
        }
        for one in found
    ]
    columns = (
        Column("place", "Part of life"),
        Column("polarity", "Kind"),
        Column("model", "Model"),
        Column("old", "Before", "rate"),
        Column("old_judged", "conversations judged before", "count"),
        Column("new", "Now", "rate"),
        Column("new_judged", "conversations judged now", "count"),
        Column("difference", "Change", "points"),
        Column("interval", "95 % interval", "interval-points"),
        Column("metrics", "metrics judged in both", "count"),
        Column("flag", "Marked"),
        Column("adjusted", "told apart from 0 (Holm)", "yes"),
    )
    sentence = (
        "Over metrics in the same wording that both releases judged for the model, in profiles that both have. "
        f"Marked as better or worse: at least {points:g} points, with an interval that leaves out 0."
    )
    return ReportTable("change", "Change of pass rates", sentence, columns, rows)
