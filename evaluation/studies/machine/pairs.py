"""Differences between two conditions (or judges) on the same contexts, with all of a metric drawn together."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaluation.studies.analysis.estimates import Estimate, Floats, estimate, ratio

CONTEXT = ["metric", "scenario", "target"]


@dataclass(frozen=True)
class Difference:
    """`condition` less `against` in one measure, over the `n_contexts` in which both have it.

    A context is a scenario with a target. `value` and `other` are the two sides over these contexts.
    """

    measure: str
    condition: str
    against: str
    polarity: str | None
    n_contexts: int
    n_metrics: int
    value: Estimate
    other: Estimate
    difference: Estimate


def paired_difference(
    measure: str, sums: pd.DataFrame, condition: str, against: str, *, polarity: str | None = None
) -> Difference:
    """The paired difference of two shares (ImpactBench paper, section 3.4.3).

    `sums` has a row for each condition and context: condition, metric, scenario, target, hits, n. A draw takes as many
    metrics as there are, with replacement, each with its scenarios, targets, repetitions and both conditions.
    """
    sides = [sums[(sums["condition"] == name) & (sums["n"] > 0)] for name in (condition, against)]
    both = sides[0].merge(sides[1], on=CONTEXT, suffixes=("", "_other"), validate="one_to_one")
    rows = both.assign(item=np.arange(len(both)))
    one, other = ([rows[f"hits{side}"], rows[f"n{side}"]] for side in ("", "_other"))
    no_context = "no context has both"
    return Difference(
        measure=measure,
        condition=condition,
        against=against,
        polarity=polarity,
        n_contexts=len(rows),
        n_metrics=int(rows["metric"].nunique()),
        value=estimate(rows, one, ratio, n=int(rows["n"].sum()), reason=no_context),
        other=estimate(rows, other, ratio, n=int(rows["n_other"].sum()), reason=no_context),
        difference=estimate(rows, [*one, *other], _difference, n=len(rows), reason=no_context),
    )


def _difference(sums: Floats) -> Floats:
    return ratio(sums[:2]) - ratio(sums[2:])
