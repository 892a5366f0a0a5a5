"""The analysis of generated ratings equals the same numbers computed in another way."""

import json
import time
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evaluation.studies.analysis import Analysis, analyse
from evaluation.studies.designs import ExpertReview, SimulatorSelection
from tests.evaluation.studies.frames import candidates
from tests.evaluation.studies.generated import study

# 18 metrics by 19 raters, 4 of them shared: the paper's 297 ratings and 33 metric forms.
DESIGN = ExpertReview(n_benchmarks=11, overlap=(5, 5, 5, 4))


@pytest.fixture(scope="module")
def reviewed() -> tuple[pd.DataFrame, pd.DataFrame, Analysis, float]:
    ratings, items = study("expert-review", DESIGN, candidates(benchmarks=12, metrics=4, targets=4))
    began = time.perf_counter()
    found = analyse("expert-review", DESIGN, ratings, items)
    return ratings, items, found, time.perf_counter() - began


def test_300_ratings_by_19_raters_are_analysed_in_seconds(
    reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float],
) -> None:
    *_, found, seconds = reviewed

    assert (found.n_ratings, found.n_raters) == (330, 19)
    assert seconds < 20
    assert json.loads(json.dumps(found.as_data(), allow_nan=False))["n_ratings"] == 330


def test_the_analysis_does_not_depend_on_the_order_of_rows(
    reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float],
) -> None:
    ratings, items, found, _ = reviewed
    chosen = ratings[ratings["question"].isin(["outcome", "relevance"])]

    turned = analyse("expert-review", DESIGN, chosen.sample(frac=1, random_state=1), items[::-1])

    for name in ("scales", "judge", "agreement"):
        same = [row for row in getattr(found, name) if getattr(row, "question", "outcome") in ("outcome", "relevance")]
        assert list(getattr(turned, name)) == same


def test_means_equal_those_of_the_pooled_marks(reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float]) -> None:
    ratings, items, found, _ = reviewed
    metric = dict(zip(items["item"], items["metric"], strict=True))
    marks = ratings[ratings["question"] == "confidence"]

    rows = [row for row in found.scales if row.question == "confidence"]
    for row in rows:
        of = {"all": "", "metric": row.key, "rater": row.key}.get(row.by)
        if of is None:
            continue
        keys = marks["item"].map(metric) if row.by == "metric" else marks["rater"]
        values = [int(v) for v in marks["value"][(keys == row.key) | (row.by == "all")]]
        assert row.n == len(values)
        assert row.mean.value == pytest.approx(stats.tmean(values))
        assert row.sd == pytest.approx(stats.tstd(values))
        assert row.upper is not None
        assert row.upper.value == pytest.approx(sum(v in (3, 4) for v in values) / len(values))
    assert {row.by for row in rows} == {"all", "metric", "benchmark", "polarity", "rater"}


@pytest.mark.parametrize(("question", "is_ordinal"), [("outcome", False), ("plausible", False), ("confidence", True)])
def test_agreement_equals_a_count_of_pairs(
    reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float], question: str, is_ordinal: bool
) -> None:
    ratings, items, found, _ = reviewed
    metric = dict(zip(items["item"], items["metric"], strict=True))
    asked = ratings[ratings["question"] == question]

    rows = [row for row in found.agreement if row.question == question and row.by in ("all", "metric")]
    assert len(rows) == 5
    for row in rows:
        units = [
            list(of["value"])
            for item, of in asked.groupby("item")
            if len(of) > 1 and (row.by == "all" or metric[item] == row.key)
        ]
        pairs = [[a == b for a, b in combinations(unit, 2)] for unit in units]
        assert row.pairwise.value == pytest.approx(np.mean([np.mean(of) for of in pairs]))
        assert row.unanimity.value == pytest.approx(np.mean([len(set(unit)) == 1 for unit in units]))
        assert row.alpha.value == pytest.approx(_alpha_by_pairs(units, is_ordinal))


def test_the_judge_against_the_majority_equals_a_table_of_four(
    reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float],
) -> None:
    ratings, items, found, _ = reviewed
    judged = dict(zip(items["item"], items["judged_passed"], strict=True))
    table: Counter[tuple[bool, bool]] = Counter()
    left_out = 0
    for item, of in ratings[ratings["question"] == "outcome"].groupby("item"):
        votes = Counter(of["value"])
        winner = next((side for side in ("pass", "fail") if votes[side] > len(of) / 2), None)
        left_out += winner is None
        if winner:
            table[judged[item], winner == "pass"] += 1

    whole = found.judge[0]
    n = sum(table.values())
    yes_judge, yes_raters = table[True, True] + table[True, False], table[True, True] + table[False, True]
    agreement = (table[True, True] + table[False, False]) / n
    chance = (yes_judge * yes_raters + (n - yes_judge) * (n - yes_raters)) / n**2
    assert (whole.n_items, whole.n_without_majority) == (n, left_out)
    assert whole.agreement.value == pytest.approx(agreement)
    assert whole.kappa.value == pytest.approx((agreement - chance) / (1 - chance))
    assert whole.sensitivity.value == pytest.approx(table[True, True] / yes_raters)
    assert whole.specificity.value == pytest.approx(table[False, False] / (n - yes_raters))


def test_an_interval_covers_what_many_draws_of_metrics_give(
    reviewed: tuple[pd.DataFrame, pd.DataFrame, Analysis, float],
) -> None:
    ratings, items, found, _ = reviewed
    marks = ratings[ratings["question"] == "confidence"].merge(items[["item", "metric"]], on="item")
    by_metric = [of["value"].astype(int).to_numpy() for _, of in marks.groupby("metric")]
    chance = np.random.default_rng(3)

    means = [
        np.concatenate([by_metric[at] for at in chance.integers(0, len(by_metric), len(by_metric))]).mean()
        for _ in range(4000)
    ]

    interval = next(row for row in found.scales if row.question == "confidence").mean
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.03)


def test_simulators_are_scored_within_raters() -> None:
    ratings, items = study("simulator-selection", SimulatorSelection(), candidates(benchmarks=5, metrics=4, targets=7))

    found = analyse("simulator-selection", SimulatorSelection(), ratings, items)

    wide = ratings[ratings["question"] == "realism_10"].pivot(index="item", columns="rater", values="value")
    z = pd.DataFrame(stats.zscore(wide.to_numpy(dtype=float), ddof=1), index=wide.index).mean(axis=1)
    by_target = z.groupby(items.set_index("item")["target"]).mean()
    assert [(row.simulator, row.n, row.n_raters, row.n_scenarios) for row in found.simulators] == [
        (name, 50, 5, 10) for name in sorted(by_target.index)
    ]
    assert [row.z.value for row in found.simulators] == pytest.approx(list(by_target.sort_index()))
    assert sum(row.z.value or 0 for row in found.simulators) == pytest.approx(0)


def _alpha_by_pairs(units: list[list[object]], is_ordinal: bool) -> float:
    """Krippendorff's alpha as the mean squared difference within units over that of all pairs of values."""
    values = [value for unit in units for value in unit]
    count = Counter(values)

    def difference(a: object, b: object) -> float:
        if not is_ordinal:
            return float(a != b)
        low, high = sorted((int(str(a)), int(str(b))))
        between = sum(count[mark] for mark in range(low, high + 1))
        return (between - (count[low] + count[high]) / 2) ** 2 if low != high else 0.0

    within = sum(sum(difference(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    anywhere = sum(difference(a, b) for a, b in permutations(values, 2)) / (len(values) - 1)
    return 1 - within / anywhere
