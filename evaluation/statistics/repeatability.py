"""How far a judge agrees with itself on the same conversations (ImpactBench paper, section 3.5.3), with intervals."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import USABLE_PER_CENT, Integers, metric_weights, nearest_ranks

Floats = NDArray[np.float64]

UNANIMITY, PAIRWISE, KAPPA = "unanimity", "pairwise", "kappa"


@dataclass(frozen=True)
class Estimate:
    """A coefficient with its 95 % interval; what does not exist is None, with the reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class Repeatability:
    """One judge on the conversations of one polarity (None: both). `n_complete` have all `repeats`, as kappa needs."""

    judge: str
    polarity: str | None
    repeats: int
    n_conversations: int
    n_complete: int
    n_metrics: int
    unanimity: Estimate
    pairwise: Estimate
    kappa: Estimate


def repeatability(ratings: pd.DataFrame, *, resamples: int, seed: int) -> list[Repeatability]:
    """For each judge with repeats: both polarities together, then each that it judged.

    `ratings` has one row a judgment: conversation, judge, metric, polarity, present (None where unjudged). Only
    conversations that one judge has judged at least twice say anything. With r ratings an item, s of them present:

    - unanimity: the share of items with s = 0 or s = r;
    - pairwise agreement: the mean over items of (s (s - 1) + (r - s) (r - s - 1)) / (r (r - 1));
    - Fleiss' kappa (1971) of the items that have all repeats: (P - Pe) / (1 - Pe), P their mean pairwise agreement,
      Pe = p^2 + (1 - p)^2, p the share of ratings that say present; undefined when all ratings are alike.

    The intervals are 95 % percentiles of `resamples` draws of metrics, within polarity, all items of a metric
    together. None with fewer than two metrics, under 90 % usable draws, or where all draws are alike.
    """
    judged = ratings[ratings["present"].notna() & ratings["polarity"].notna()]
    if judged.empty:
        return []
    items = (
        judged.assign(present=judged["present"].astype(bool))
        .groupby(["judge", "conversation", "metric", "polarity"])["present"]
        .agg(["sum", "count"])
        .reset_index()
    )
    items = items[items["count"] >= 2]
    found = []
    for judge, of in items.groupby("judge"):
        for polarity in (None, "positive", "negative"):
            chosen = of if polarity is None else of[of["polarity"] == polarity]
            if len(chosen):
                found.append(_of_items(str(judge), polarity, chosen, int(of["count"].max()), resamples, seed))
    return found


def _of_items(
    judge: str, polarity: str | None, items: pd.DataFrame, repeats: int, resamples: int, seed: int
) -> Repeatability:
    facts = items.drop_duplicates("metric")
    weights = metric_weights(
        {metric: ("", kind) for metric, kind in zip(facts["metric"], facts["polarity"], strict=True)},
        resamples=resamples,
        seed=seed,
    )
    sums = _sums(items, weights.metrics, repeats)
    whole, drawn = _coefficients(sums.sum(axis=0)[:, None]), _coefficients(sums.T @ weights.weights)
    n_metrics = len(weights.metrics)
    reasons = {KAPPA: "all ratings are alike, or no conversation has all repeats"}
    estimates = {name: _estimate(whole[name][0], drawn[name], n_metrics, reasons.get(name, "")) for name in whole}
    return Repeatability(
        judge=judge,
        polarity=polarity,
        repeats=repeats,
        n_conversations=len(items),
        n_complete=int((items["count"] == repeats).sum()),
        n_metrics=n_metrics,
        **estimates,
    )


def _sums(items: pd.DataFrame, metrics: tuple[str, ...], repeats: int) -> Floats:
    """Per metric (rows): items, unanimous ones, their agreement; of complete items: number, agreement, present."""
    s, r = (items[name].to_numpy(dtype=np.float64) for name in ("sum", "count"))
    share = (s * (s - 1) + (r - s) * (r - s - 1)) / (r * (r - 1))
    complete = r == repeats
    columns = np.stack(
        [np.ones(len(items)), (s == 0) | (s == r), share, complete, share * complete, s / r * complete], axis=1
    )
    rows: Integers = pd.Index(metrics).get_indexer(pd.Index(items["metric"])).astype(np.int64)
    sums = np.zeros((len(metrics), columns.shape[1]))
    np.add.at(sums, rows, columns)
    return sums


def _coefficients(sums: Floats) -> dict[str, Floats]:
    """The coefficients of each column of sums; NaN where undefined."""
    n, unanimous, agreement, complete, complete_agreement, present = sums
    p = _ratio(present, complete)
    by_chance = p**2 + (1 - p) ** 2
    # A rounding of p must not pass for a spread.
    alike = np.isclose(by_chance, 1.0, rtol=0, atol=1e-12)
    kappa = _ratio(_ratio(complete_agreement, complete) - by_chance, np.where(alike, 0.0, 1 - by_chance))
    return {UNANIMITY: _ratio(unanimous, n), PAIRWISE: _ratio(agreement, n), KAPPA: kappa}


def _ratio(a: Floats, b: Floats) -> Floats:
    return np.divide(a, b, out=np.full(a.shape, np.nan), where=b != 0)


def _estimate(value: float, drawn: Floats, n_metrics: int, reason: str) -> Estimate:
    if np.isnan(value):
        return Estimate(None, reason=reason)
    n_draws = int((~np.isnan(drawn)).sum())
    low, high = (float(end[0]) for end in nearest_ranks(drawn[None, :], np.array([n_draws]), (25, 975)))
    if n_metrics < 2 or n_draws * 100 < USABLE_PER_CENT * len(drawn) or not high > low:
        return Estimate(float(value), reason="no range: fewer than 2 metrics, or the draws are alike or too few")
    return Estimate(float(value), low, high)
