"""What anchors, adversarial guidance and typing edits do (ImpactBench paper, section 3.4.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaluation.studies.analysis.estimates import Estimate, estimate, ratio
from evaluation.studies.machine.conditions import AS_SET
from evaluation.studies.machine.pairs import CONTEXT, Difference, paired_difference

COVERAGE, INCONSISTENCY, FAILURES = MEASURES = ("coverage", "inconsistency", "failures")
_POLARITIES = (None, "positive", "negative")


@dataclass(frozen=True)
class ConditionResult:
    """One measure of one condition, over all its contexts; `polarity` None: both together."""

    measure: str
    condition: str
    polarity: str | None
    n_contexts: int
    n_metrics: int
    value: Estimate


def ablation(
    judgments: pd.DataFrame, coverage: pd.DataFrame, conditions: Sequence[str]
) -> tuple[list[ConditionResult], list[Difference]]:
    """Every measure of every condition, and its difference to the condition in which all parts are on.

    `judgments` has a row a judged or unjudged conversation: condition, metric, polarity, scenario, target, repeat,
    passed (None: unjudged). `coverage` has a row for each anchor of a conversation that the auditor could read:
    condition, metric, polarity, scenario, target, repeat, anchor, covered.

    - coverage: the share of anchors whose objective is covered;
    - inconsistency: the mean over the anchors of contexts of the share of pairs of repetitions that differ;
    - failures: the share of judged conversations that fail.
    """
    results: list[ConditionResult] = []
    differences: list[Difference] = []
    for polarity in _POLARITIES:
        for measure, sums in _measures(_of(judgments, polarity), _of(coverage, polarity)):
            results += [_result(measure, sums, condition, polarity) for condition in conditions]
            differences += [
                paired_difference(measure, sums, condition, AS_SET, polarity=polarity)
                for condition in conditions
                if condition != AS_SET
            ]
    return results, differences


def _of(rows: pd.DataFrame, polarity: str | None) -> pd.DataFrame:
    return rows if polarity is None else rows[rows["polarity"] == polarity]


def _measures(judgments: pd.DataFrame, coverage: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    audited = coverage[coverage["covered"].notna()]
    yield COVERAGE, _sums(audited.assign(hits=audited["covered"].astype(float), n=1.0))
    yield INCONSISTENCY, _sums(_pairs_that_differ(audited))
    judged = judgments[judgments["passed"].notna()]
    yield FAILURES, _sums(judged.assign(hits=1.0 - judged["passed"].astype(float), n=1.0))


def _sums(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.groupby(["condition", *CONTEXT])[["hits", "n"]].sum().reset_index()


def _pairs_that_differ(audited: pd.DataFrame) -> pd.DataFrame:
    """For each anchor of a context with two repetitions or more: of r, s covered it; 2 s (r - s) / (r (r - 1))."""
    anchors = (
        audited.assign(covered=audited["covered"].astype(float))
        .groupby(["condition", *CONTEXT, "anchor"])["covered"]
        .agg(["sum", "count"])
        .reset_index()
    )
    several = anchors[anchors["count"] >= 2]
    s, r = several["sum"], several["count"]
    return several.assign(hits=2 * s * (r - s) / (r * (r - 1)), n=1.0)


def _result(measure: str, sums: pd.DataFrame, condition: str, polarity: str | None) -> ConditionResult:
    rows = sums[sums["condition"] == condition]
    rows = rows.assign(item=np.arange(len(rows)))
    return ConditionResult(
        measure=measure,
        condition=condition,
        polarity=polarity,
        n_contexts=len(rows),
        n_metrics=int(rows["metric"].nunique()),
        value=estimate(
            rows, [rows["hits"], rows["n"]], ratio, n=int(rows["n"].sum()), reason="nothing was audited or judged"
        ),
    )
