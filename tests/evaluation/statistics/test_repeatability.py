"""Repeatability of a judge: against the coefficients of `agreement`, and against plain loops."""

import pandas as pd
import pytest

from evaluation.statistics.agreement import fleiss_kappa, pairwise_agreement, unanimity
from evaluation.statistics.bootstrap import metric_weights
from evaluation.statistics.repeatability import repeatability

MARKS = {
    ("m1", "positive"): ("yyy", "yyn", "nnn"), ("m2", "positive"): ("yyy", "ynn"),
    ("m3", "negative"): ("nnn", "nny", "yyy"), ("m4", "negative"): ("nnn", "nnn"),
}  # fmt: skip


def ratings(marks=MARKS, judge="judge"):
    rows = [
        (f"{metric}-{at}", judge, metric, polarity, {"y": True, "n": False}.get(mark))
        for (metric, polarity), items in marks.items()
        for at, item in enumerate(items)
        for mark in item
    ]
    return pd.DataFrame(rows, columns=["conversation", "judge", "metric", "polarity", "present"])


def wide(items):
    return pd.DataFrame([[{"y": True, "n": False}.get(mark) for mark in item] for item in items], dtype=object)


def test_coefficients_are_those_of_agreement():
    both, *_ = repeatability(ratings(), resamples=100, seed=1)

    table = wide([item for items in MARKS.values() for item in items])
    assert (both.n_conversations, both.n_metrics, both.repeats, both.n_complete) == (10, 4, 3, 10)
    assert both.unanimity.value == pytest.approx(unanimity(table).value)
    assert both.pairwise.value == pytest.approx(pairwise_agreement(table).value)
    assert both.kappa.value == pytest.approx(fleiss_kappa(table).value)


def test_interval_is_that_of_loops_over_metrics_drawn_again():
    both, *_ = repeatability(ratings(), resamples=150, seed=3)

    weights = metric_weights({metric: ("", polarity) for metric, polarity in MARKS}, resamples=150, seed=3)
    items = {metric: list(of) for (metric, _), of in MARKS.items()}
    drawn = []
    for draw in range(150):
        chosen = [
            item
            for row, metric in enumerate(weights.metrics)
            for _ in range(weights.weights[row, draw])
            for item in items[metric]
        ]
        value = fleiss_kappa(wide(chosen)).value
        if value is not None:
            drawn.append(value)
    drawn.sort()
    n = len(drawn)
    nearest = [drawn[max((share * n + 999) // 1000, 1) - 1] for share in (25, 975)]
    assert [both.kappa.low, both.kappa.high] == pytest.approx(nearest)


def test_polarities_stand_apart():
    found = repeatability(ratings(), resamples=50, seed=1)

    assert [(one.polarity, one.n_conversations, one.n_metrics) for one in found] == [
        (None, 10, 4),
        ("positive", 5, 2),
        ("negative", 5, 2),
    ]


def test_item_with_a_missing_repeat_counts_for_pairs_and_not_for_kappa():
    both, *_ = repeatability(ratings({("m1", "positive"): ("yyy", "ynu", "yuu"), ("m2", "positive"): ("nnn",)}),
                             resamples=50, seed=1)  # fmt: skip

    assert (both.n_conversations, both.n_complete) == (3, 2)
    assert both.unanimity.value == pytest.approx(2 / 3)


def test_all_alike_has_no_kappa_and_says_why():
    both, *_ = repeatability(ratings({("m1", "positive"): ("yyy", "yyy"), ("m2", "positive"): ("yyy",)}),
                             resamples=50, seed=1)  # fmt: skip

    assert (both.kappa.value, both.kappa.low, bool(both.kappa.reason)) == (None, None, True)
    assert (both.pairwise.value, both.pairwise.low) == (1.0, None)


def test_one_judgment_each_says_nothing():
    assert repeatability(ratings({("m1", "positive"): ("y", "n")}), resamples=50, seed=1) == []
