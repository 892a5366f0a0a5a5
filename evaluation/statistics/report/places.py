"""Subareas and benchmarks, and how far models differ in each (ImpactBench paper, sections 4.1 to 4.3 and 4.6)."""

from collections.abc import Mapping
from typing import Any

from evaluation.statistics.report.tables import (
    POLARITIES,
    POLARITY_NAMES,
    Column,
    Numbers,
    ReportTable,
    Row,
    counted,
    interval,
    is_covered,
    rate_cells,
    rate_columns,
    spread_cells,
)


def subareas(numbers: Numbers) -> ReportTable:
    """Each subarea and polarity: pooled rate, and range, spread and leader over the models."""
    return _spread(numbers, "subarea", numbers.names.subareas, "subareas", "Parts of the areas")


def benchmarks(numbers: Numbers) -> ReportTable:
    """Each benchmark and polarity: pooled rate, and mean, range and leader over the models."""
    return _spread(numbers, "benchmark", numbers.names.benchmarks, "benchmarks", "Benchmarks")


def _spread(numbers: Numbers, group: str, names: Mapping[str, str], slug: str, title: str) -> ReportTable:
    results = numbers.results_of(group)
    adjusted = {
        (row["key"], row["polarity"], frozenset((row["a"], row["b"]))): row["distinguishable_adjusted"]
        for row in numbers.comparisons_of("model", group)
        if row["profile"] == "all"
    }
    rows: list[Row] = []
    for key in dict.fromkeys(row["key"] for row in results):
        for polarity in POLARITIES:
            here = [row for row in results if row["key"] == key and row["polarity"] == polarity]
            pooled = next((row for row in here if row["model"] is None), None)
            if pooled is None:
                continue
            covered = sorted(
                (row for row in here if row["model"] is not None and is_covered(row)),
                key=lambda row: (-row["pass_rate"], row["model"]),
            )
            rows.append(
                {
                    "place": names.get(key, key),
                    "polarity": POLARITY_NAMES[polarity],
                    **rate_cells(pooled),
                    **spread_cells(row["pass_rate"] for row in covered),
                    "leader": _leader(covered, numbers.names.models, adjusted, key, polarity),
                    "leader_rate": covered[0]["pass_rate"] if len(covered) >= 2 else None,
                    "leader_interval": interval(covered[0]) if len(covered) >= 2 else None,
                    "leader_method": covered[0]["ci_method"] if len(covered) >= 2 else None,
                    "leader_judged": covered[0]["n_judged"] if len(covered) >= 2 else None,
                }
            )
    n_models = len({row["model"] for row in results if row["model"] is not None})
    sentence = (
        f"Pooled over {counted(n_models, 'model')}; range, spread and highest rate over the models with at least 80 % "
        "of the metrics. A highest rate is no rank: how many models cannot be told apart from it stands beside it. "
        "Mean, spread and extremes describe these models only and have no interval."
    )
    columns = (
        Column("place", "Part"),
        Column("polarity", "Kind"),
        *rate_columns(),
        Column("mean", "Mean over models", "rate"),
        Column("sd", "SD over models", "size"),
        Column("lowest", "Lowest model", "rate"),
        Column("highest", "Highest model", "rate"),
        Column("leader", "Highest"),
        Column("leader_interval", "Highest, 95 % interval", "interval"),
        Column("leader_judged", "Highest, conversations judged", "count"),
    )
    return ReportTable(slug, title, sentence, columns, rows)


def _leader(
    covered: list[Row], names: Mapping[str, str], adjusted: Mapping[Any, bool | None], key: str, polarity: str
) -> str | None:
    """The model with the highest rate, with those that cannot be told apart from it."""
    if len(covered) < 2:
        return None
    first = covered[0]["model"]
    tied = [
        row["model"]
        for row in covered[1:]
        if adjusted.get((key, polarity, frozenset((first, row["model"])))) is not True
    ]
    name = names.get(first, first)
    if not tied:
        return name
    return f"{name}; not told apart from it: {counted(len(tied), 'model')}"
