"""How far several judges agree on the same conversations: in pairs, as a panel, and each with the others' majority.

Everything here is about presence, within one polarity; `evaluation.statistics.agreement` has the same coefficients for
any table of ratings, item by item. Here they follow from sums by metric, so that intervals can draw metrics again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import USABLE_PER_CENT, Integers, MetricWeights, cell_sums, percentile_intervals
from evaluation.statistics.counts import POOLED

Floats = NDArray[np.float64]
Both = tuple[Floats, Floats]

PAIR, PANEL, AGAINST_MAJORITY = KINDS = ("pair", "panel", "judge-against-majority")
COHEN, KRIPPENDORFF = COEFFICIENTS = ("cohen-kappa", "krippendorff-alpha")
DRAWN, NO_INTERVAL = METHODS = ("metric-cluster-bootstrap", "none")
POLARITIES = ("positive", "negative")
ONLY_ONE_JUDGE = "only one judge"


@dataclass(frozen=True)
class Agreement:
    """One line: agreement is the share of equal readings, the coefficient is that share beyond what chance gives.

    `n` conversations carry it: read by both (`pair`), by two or more (`panel`), or by the judge where the others have
    a majority. `judge_a` and `judge_b` are None where they do not apply. What does not exist is None, with the reason.
    """

    kind: str
    judge_a: str | None
    judge_b: str | None
    polarity: str
    profile: str
    n: int = 0
    n_metrics: int = 0
    agreement: float | None = None
    agreement_ci_low: float | None = None
    agreement_ci_high: float | None = None
    coefficient: float | None = None
    coefficient_name: str = COHEN
    ci_low: float | None = None
    ci_high: float | None = None
    ci_method: str = NO_INTERVAL
    n_draws: int = 0
    reason: str = ""


def panel_agreement(
    readings: pd.DataFrame, weights: MetricWeights, *, polarities: Sequence[str], profiles: Sequence[str]
) -> list[Agreement]:
    """Every line for each of these polarities in all profiles pooled ('all') and in each one.

    `readings` has one row for each judge of a conversation: conversation, judge, metric, polarity, profile, and of its
    judged judgments the number (`n`) and how many of them say present (`n_present`). A judge's reading is the majority
    of its repeats; one whose repeats are split has none. `weights` are the release's draws of metrics.
    """
    judges = sorted(set(readings["judge"]))
    found: list[Agreement] = []
    for polarity in polarities:
        for profile in (POOLED, *profiles):
            if len(judges) < 2:
                found.append(_only_one_judge(polarity, profile))
                continue
            chosen = readings[readings["polarity"] == polarity]
            if profile != POOLED:
                chosen = chosen[chosen["profile"] == profile]
            cell = _Cell(chosen, judges, weights)
            found += [replace(line, polarity=polarity, profile=profile) for line in _lines(cell, judges)]
    return found


def _only_one_judge(polarity: str, profile: str) -> Agreement:
    return Agreement(PANEL, None, None, polarity, profile, coefficient_name=KRIPPENDORFF, reason=ONLY_ONE_JUDGE)


class _Cell:
    """The readings of one polarity and profile: 1 present, 0 absent, NaN none; (conversations, judges)."""

    def __init__(self, readings: pd.DataFrame, judges: Sequence[str], weights: MetricWeights) -> None:
        n, n_present = (readings[name].to_numpy(dtype=np.float64) for name in ("n", "n_present"))
        said = np.where(2 * n_present == n, np.nan, (2 * n_present > n).astype(np.float64))
        conversations, facts = pd.factorize(readings["conversation"])
        self.said = np.full((len(facts), len(judges)), np.nan)
        self.said[conversations, pd.Index(judges).get_indexer(pd.Index(readings["judge"]))] = said
        metrics = np.empty(len(facts), dtype=object)
        metrics[conversations] = readings["metric"].to_numpy(dtype=object)
        self.rows = weights.rows(list(metrics))
        self.weights = weights

    def line(
        self, line: Agreement, mask: NDArray[np.bool_], columns: Sequence[Any], read: Callable[[Floats], Both]
    ) -> Agreement:
        """`line` with its numbers, from the sums of whole-numbered `columns` over the conversations in `mask`."""
        rows, of = np.unique(self.rows[mask], return_inverse=True)
        counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
        np.add.at(counts, of, np.stack([column[mask] for column in columns], axis=1).astype(np.int64))
        whole = read(counts.sum(axis=0).astype(np.float64)[:, None])
        drawn = read(cell_sums(self.weights, rows, counts))
        return _with_numbers(replace(line, n=int(mask.sum()), n_metrics=len(rows)), whole, drawn)


def _lines(cell: _Cell, judges: Sequence[str]) -> Iterator[Agreement]:
    blank = Agreement(PANEL, None, None, "", "")
    for a, b in combinations(range(len(judges)), 2):
        line = replace(blank, kind=PAIR, judge_a=judges[a], judge_b=judges[b])
        yield _of_two(cell, line, cell.said[:, a], cell.said[:, b])
    yield _of_panel(cell, replace(blank, coefficient_name=KRIPPENDORFF))
    # Of two judges, the majority of the others is the other one.
    for judge in range(len(judges)) if len(judges) > 2 else ():
        line = replace(blank, kind=AGAINST_MAJORITY, judge_a=judges[judge])
        yield _of_two(cell, line, cell.said[:, judge], _majority(np.delete(cell.said, judge, axis=1)))


def _majority(said: Floats) -> Floats:
    """What more of these judges say than not; NaN where they are split or say nothing."""
    for_it, against = (said == 1).sum(axis=1), (said == 0).sum(axis=1)
    return np.where(for_it == against, np.nan, (for_it > against).astype(np.float64))


def _of_two(cell: _Cell, line: Agreement, a: Floats, b: Floats) -> Agreement:
    mask = ~np.isnan(a) & ~np.isnan(b)
    return cell.line(line, mask, [np.ones(len(a)), a * b, a, b], share_and_kappa)


def _of_panel(cell: _Cell, line: Agreement) -> Agreement:
    """Pairs of readings of a conversation, summed apart for each number of readings so that all sums are whole."""
    n = (~np.isnan(cell.said)).sum(axis=1)
    present = np.nansum(cell.said, axis=1)
    absent = n - present
    numbers = np.unique(n[n >= 2])
    equal = [np.where(n == number, present * (present - 1) + absent * (absent - 1), 0) for number in numbers]
    unequal = [np.where(n == number, present * absent, 0) for number in numbers]

    def read(sums: Floats) -> Both:
        return _share_and_alpha(sums, numbers[:, None])

    return cell.line(line, n >= 2, [np.ones(len(n)), n, present, *equal, *unequal], read)


def share_and_kappa(sums: Floats) -> Both:
    """The share of equal readings and Cohen's kappa, each with one division; NaN where undefined.

    `sums` are of conversations read by both: how many, present by both, by a, by b.
    """
    n, both, a, b = sums
    equal = n - a - b + 2 * both
    by_chance = a * b + (n - a) * (n - b)
    return _ratio(equal, n), _ratio(n * equal - by_chance, n * n - by_chance)


def _share_and_alpha(sums: Floats, numbers: Integers) -> Both:
    """Of conversations read twice or more: how many, readings, present ones; for each number of readings the pairs."""
    items, n, present = sums[:3]
    equal, unequal = np.split(sums[3:], 2)
    coincidences = (unequal / (numbers - 1)).sum(axis=0)
    alpha = 1.0 - _ratio((n - 1) * coincidences, present * (n - present))
    return _ratio((equal / (numbers * (numbers - 1))).sum(axis=0), items), alpha


def _ratio(a: Floats, b: Floats) -> Floats:
    return np.divide(a, b, out=np.full(a.shape, np.nan), where=b != 0)


def _with_numbers(line: Agreement, whole: Both, drawn: Both) -> Agreement:
    (share,), (coefficient,) = whole
    if np.isnan(share):
        return replace(line, reason="no conversation was read by two of these")
    of_share, of_coefficient = (_interval(draws, line.n_metrics) for draws in drawn)
    line = replace(line, agreement=float(share), agreement_ci_low=of_share.low, agreement_ci_high=of_share.high)
    if np.isnan(coefficient):
        return replace(line, reason="no coefficient: all readings are alike", ci_method=of_share.method)
    return replace(
        line,
        coefficient=float(coefficient),
        ci_low=of_coefficient.low,
        ci_high=of_coefficient.high,
        ci_method=of_coefficient.method,
        n_draws=of_coefficient.n_draws,
        reason=of_coefficient.reason,
    )


@dataclass(frozen=True)
class _Interval:
    n_draws: int
    low: float | None = None
    high: float | None = None
    method: str = NO_INTERVAL
    reason: str = ""


def _interval(draws: Floats, n_metrics: int) -> _Interval:
    """The 95 % percentile interval under the rules of every other interval of a release, or why there is none."""
    found = percentile_intervals(draws[None, :], np.array([n_metrics]))
    n_draws = int(found.n_draws[0])
    if found.usable[0]:
        return _Interval(n_draws, float(found.low[0]), float(found.high[0]), DRAWN)
    if n_metrics < 2:
        return _Interval(n_draws, reason="no interval: fewer than 2 metrics")
    if n_draws * 100 < USABLE_PER_CENT * len(draws):
        return _Interval(n_draws, reason="no interval: too few draws have a value")
    return _Interval(n_draws, reason="no interval: all draws are alike")
