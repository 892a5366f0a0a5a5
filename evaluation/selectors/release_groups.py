"""Which metrics of a release stand in which area, subarea, benchmark and label row."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pandas as pd

from evaluation.models import LabelRow, Placement, Polarity, Taxonomy

Groups = dict[str, dict[str, list[str]]]


def frozen_groups(taxonomy: Taxonomy, verdicts: pd.DataFrame) -> Groups:
    """`{group: {key: [metric slug, ...]}}` of the metrics in `verdicts`, as `Release.groups` keeps it.

    Keys of label rows are "<polarity> <slug>". Where the taxonomy has no label rows for these metrics, its subareas
    by polarity take their place (contract.md, 'Label row').
    """
    facts = verdicts[["metric", "benchmark", "polarity"]].drop_duplicates("metric")
    polarity = dict(zip(facts["metric"], facts["polarity"], strict=True))
    benchmark = defaultdict(set)
    for metric, slug in zip(facts["metric"], facts["benchmark"], strict=True):
        benchmark[slug].add(metric)
    area, subarea = _placements(taxonomy, polarity)
    rows = _label_rows(taxonomy, polarity) or _by_polarity(subarea, polarity)
    groups = {"area": area, "subarea": subarea, "benchmark": benchmark, "label-row": rows}
    return {name: {key: sorted(metrics) for key, metrics in sorted(keyed.items())} for name, keyed in groups.items()}


def statistics_groups(groups: Groups) -> dict[str, dict[Any, list[str]]]:
    """The same groups with the keys that `pass_rates.release_results` expects."""
    rows = {}
    for key, metrics in groups["label-row"].items():
        polarity, slug = key.split(" ", 1)
        rows[(slug, polarity)] = metrics
    return {**groups, "label-row": rows}


def _placements(
    taxonomy: Taxonomy, polarity: Mapping[str, str | None]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    area, subarea = defaultdict(set), defaultdict(set)
    placements = Placement.objects.filter(subarea__taxonomy=taxonomy, metric__slug__in=list(polarity))
    for metric, area_slug, subarea_slug in placements.values_list(
        "metric__slug", "subarea__area__slug", "subarea__slug"
    ):
        area[area_slug].add(metric)
        subarea[subarea_slug].add(metric)
    return area, subarea


def _label_rows(taxonomy: Taxonomy, polarity: Mapping[str, str | None]) -> dict[str, set[str]]:
    rows = defaultdict(set)
    members = LabelRow.objects.filter(taxonomy=taxonomy, metrics__slug__in=list(polarity))
    for row_polarity, slug, metric in members.values_list("polarity", "slug", "metrics__slug"):
        if polarity.get(metric) == row_polarity:
            rows[f"{row_polarity} {slug}"].add(metric)
    return rows


def _by_polarity(subarea: Mapping[str, set[str]], polarity: Mapping[str, str | None]) -> dict[str, set[str]]:
    rows: dict[str, set[str]] = {}
    for word in Polarity.values:
        for slug, metrics in subarea.items():
            members = {metric for metric in metrics if polarity[metric] == word}
            if members:
                rows[f"{word} {slug}"] = members
    return rows
