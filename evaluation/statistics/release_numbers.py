"""All numbers of a release in one pass: results, comparisons and sensitivity from the same draws."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

import pandas as pd

from evaluation.statistics.bootstrap import MetricWeights
from evaluation.statistics.counts import Counts, count
from evaluation.statistics.pass_rates import (
    Group,
    Groups,
    as_table,
    cells_of,
    draw_cells,
    group_columns,
    groups_of,
    weights_of,
)
from evaluation.statistics.release_comparisons import (
    Columns,
    DrawnGroup,
    model_comparisons,
    polarity_comparisons,
    profile_comparisons,
)
from evaluation.statistics.release_comparisons import as_table as as_comparisons
from evaluation.statistics.release_sensitivity import release_sensitivity

# A single metric has too few conversations for an order (see the methodology page).
NOT_COMPARED = frozenset({"metric"})
THREADS = 2


@dataclass(frozen=True)
class ReleaseNumbers:
    """The three tables of a release; columns as in the modules that make them."""

    results: pd.DataFrame
    comparisons: pd.DataFrame
    sensitivity: pd.DataFrame


def release_numbers(
    verdicts: pd.DataFrame,
    groups: Groups,
    *,
    profiles: Sequence[str],
    models: Sequence[str],
    resamples: int,
    seed: int,
    threads: int = THREADS,
) -> ReleaseNumbers:
    """Everything `pass_rates.release_results` gives, with every comparison and sensitivity analysis beside it.

    Arguments as there. The bits do not depend on `threads`: each group is computed by itself, from shared draws.
    """
    counts = count(verdicts, models=models, profiles=profiles)
    weights = weights_of(counts, resamples=resamples, seed=seed)
    units = [list(members) for _, members in groupby(groups_of(counts, groups), key=lambda g: (g.name, g.key))]
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(lambda unit: _of_one_key(unit, counts, weights), units))
    return ReleaseNumbers(
        results=as_table(columns for results, _ in done for columns in results),
        comparisons=as_comparisons([table for _, tables in done for table in tables]),
        sensitivity=release_sensitivity(verdicts, counts, groups.get("subarea", {})),
    )


def _of_one_key(
    unit: list[Group], counts: Counts, weights: MetricWeights
) -> tuple[list[dict[str, list[object]]], list[Columns]]:
    """The results and the comparisons of one group key, in each polarity it has."""
    drawn = []
    for group in unit:
        cells = cells_of(group, counts)
        drawn.append(DrawnGroup(group, cells, draw_cells(group, cells, counts, weights)))
    results = [group_columns(item.group, item.cells, counts, item.drawn) for item in drawn]
    if unit[0].name in NOT_COMPARED:
        return results, []
    tables = [compare(item, counts, weights) for item in drawn for compare in (model_comparisons, profile_comparisons)]
    by_polarity = {item.group.polarity: item for item in drawn}
    if len(by_polarity) == 2:
        tables.append(polarity_comparisons(by_polarity["positive"], by_polarity["negative"], counts))
    return results, tables
