"""Other judges on the same conversations: how far they agree, and what they would change in rates and order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from evaluation.statistics.bootstrap import metric_weights
from evaluation.statistics.correlation import Correlation, spearman
from evaluation.statistics.panel_agreement import POLARITIES, Agreement, panel_agreement
from evaluation.studies.analysis.estimates import RESAMPLES, SEED
from evaluation.studies.machine.pairs import CONTEXT, Difference, paired_difference

RATE = "pass rate"


@dataclass(frozen=True)
class OrderChange:
    """The targets' pass rates under two judges: how alike their order is, and how many pairs of targets turn round."""

    judge: str
    against: str
    polarity: str
    n_targets: int
    n_pairs: int
    n_turned: int
    spearman: Correlation


@dataclass(frozen=True)
class TargetDifference:
    """What another judge would change in one target's pass rate; None: in that of all targets."""

    target: str | None
    change: Difference


def judge_comparison(
    judgments: pd.DataFrame, judges: Sequence[str]
) -> tuple[list[Agreement], list[TargetDifference], list[OrderChange]]:
    """How far the judges agree, and each beside the first of them, by polarity.

    `judgments` has a row a judgment: conversation, judge, metric, polarity, profile, scenario, target, present (None:
    unjudged). A judge says of a conversation what most of its repeats say; where they are split it says nothing.
    """
    judged = judgments[judgments["present"].notna() & judgments["polarity"].notna()]
    said = _said(judged)
    changes: list[TargetDifference] = []
    orders: list[OrderChange] = []
    for polarity in POLARITIES:
        of = said[said["polarity"] == polarity]
        for judge in judges[1:]:
            both = _judged_by_both(of, judge, judges[0])
            changes += list(_changes(both, judge, judges[0], polarity))
            orders.append(_order_change(both, judge, judges[0], polarity))
    return _agreement(judged), changes, orders


def _agreement(judged: pd.DataFrame) -> list[Agreement]:
    if judged.empty:
        return []
    keys = ["conversation", "judge", "metric", "polarity", "profile"]
    counted = judged.assign(present=judged["present"].astype(int)).groupby(keys)["present"]
    readings = counted.agg(n="count", n_present="sum").reset_index()
    facts = readings.drop_duplicates("metric")
    strata = {metric: ("", kind) for metric, kind in zip(facts["metric"], facts["polarity"], strict=True)}
    weights = metric_weights(strata, resamples=RESAMPLES, seed=SEED)
    return panel_agreement(readings, weights, polarities=POLARITIES, profiles=())


def _said(judged: pd.DataFrame) -> pd.DataFrame:
    """Whether each conversation passes by each judge; those on which its repeats are split are left out."""
    keys = ["judge", "conversation", "polarity", *CONTEXT]
    share = judged.assign(present=judged["present"].astype(float)).groupby(keys)["present"].mean().reset_index()
    decided = share[share["present"] != 0.5]
    return decided.assign(passed=(decided["present"] > 0.5) == (decided["polarity"] == "positive"))


def _judged_by_both(said: pd.DataFrame, judge: str, against: str) -> pd.DataFrame:
    """The rows of the two judges on the conversations that both have judged, so that rates differ by judge alone."""
    two = said[said["judge"].isin([judge, against])]
    return two[two.groupby("conversation")["judge"].transform("nunique") == 2]


def _changes(both: pd.DataFrame, judge: str, against: str, polarity: str) -> Iterator[TargetDifference]:
    counted = both.assign(condition=both["judge"], hits=both["passed"].astype(float), n=1.0)
    sums = counted.groupby(["condition", *CONTEXT])[["hits", "n"]].sum().reset_index()
    for target in (None, *sorted(set(sums["target"]))):
        of = sums if target is None else sums[sums["target"] == target]
        yield TargetDifference(target, paired_difference(RATE, of, judge, against, polarity=polarity))


def _order_change(both: pd.DataFrame, judge: str, against: str, polarity: str) -> OrderChange:
    rates = both.groupby(["target", "judge"])["passed"].mean().unstack("judge").reindex(columns=[judge, against])
    one, other = (rates[name].to_numpy(dtype=np.float64) for name in (judge, against))
    pairs = list(combinations(range(len(rates)), 2))
    turned = sum((one[a] - one[b]) * (other[a] - other[b]) < 0 for a, b in pairs)
    return OrderChange(judge, against, polarity, len(rates), len(pairs), int(turned), spearman(list(one), list(other)))
