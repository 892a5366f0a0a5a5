"""Comparisons and sensitivity of a release against plain loops over the same draws."""

from functools import cache

import numpy as np
import pytest

from evaluation.statistics.bootstrap import metric_weights
from evaluation.statistics.pass_rates import release_results
from evaluation.statistics.release_numbers import release_numbers
from tests.support.verdicts import verdict_table

LINES = (
    "a/m1 + x teen yyn", "a/m1 + x adult ynn", "a/m1 + z teen nnn", "a/m1 + z adult ynn",
    "a/m2 + x teen yyy", "a/m2 + x adult yyy", "a/m2 + z teen yny", "a/m2 + z adult nny",
    "a/m3 + x teen nyn", "a/m3 + x adult nnn", "a/m3 + z teen nnn", "a/m3 + z adult nyn",
    "b/m4 + x teen yyu", "b/m4 + x adult yny", "b/m4 + z teen nnu", "b/m4 + z adult nyy",
    "b/m5 + x teen yyn", "b/m5 + x adult yyy",
    "b/m6 - x teen yyn", "b/m6 - x adult nnn", "b/m6 - z teen yyy", "b/m6 - z adult ynn",
    "b/m7 - x teen nyn", "b/m7 - x adult yyn", "b/m7 - z teen nnn", "b/m7 - z adult nny",
    "c/m8 + x teen yyy", "c/m8 + z teen nyn", "c/m9 + x adult yny", "c/m9 + z adult yyn",
)  # fmt: skip
TABLE = verdict_table(*LINES)
GROUPS = {"benchmark": {b: [m for m in TABLE["metric"].unique() if m.startswith(b)] for b in "abc"},
          "subarea": {"s1": ["a/m1", "b/m6"], "s2": ["a/m2", "b/m7"], "s3": ["a/m3", "c/m8"]}}  # fmt: skip
RESAMPLES = 400


@cache
def numbers(threads: int = 2):
    return release_numbers(
        TABLE, GROUPS, profiles=["teen", "adult"], models=["x", "z"], resamples=RESAMPLES, seed=5, threads=threads
    )


def row(table, **names):
    """The one row whose columns hold these values; None asks for a missing one."""
    chosen = table
    for name, value in names.items():
        chosen = chosen[chosen[name].isna() if value is None else chosen[name] == value]
    assert len(chosen) == 1
    return chosen.iloc[0].to_dict()


def plain_draws(metrics, model, profile):
    """Pass rates by loops: every draw's weights times the counts, metric by metric."""
    columns = (TABLE[name].tolist() for name in ("metric", "benchmark", "polarity"))
    strata = {metric: (benchmark, polarity) for metric, benchmark, polarity in zip(*columns, strict=True)}
    weights = metric_weights(strata, resamples=RESAMPLES, seed=5)
    mine = TABLE[(TABLE["model"] == model) & TABLE["present"].notna() & TABLE["ended"]]
    if profile != "all":
        mine = mine[mine["profile"] == profile]
    counted = []
    for metric in metrics:
        part = mine[mine["metric"] == metric]
        passed = int((part["present"] == (part["polarity"] == "positive")).sum())
        counted.append((weights.metrics.index(metric), passed, len(part)))
    rates = []
    for draw in range(RESAMPLES):
        passed = sum(int(weights.weights[at, draw]) * n for at, n, _ in counted)
        judged = sum(int(weights.weights[at, draw]) * n for at, _, n in counted)
        rates.append(passed / judged if judged else np.nan)
    return np.array(rates)


def nearest(values, per_mille):
    known = np.sort(values[~np.isnan(values)])
    return known[max((per_mille * len(known) + 999) // 1000, 1) - 1]


def test_results_are_those_of_release_results_whatever_the_threads():
    alone = release_results(TABLE, GROUPS, profiles=["teen", "adult"], models=["x", "z"], resamples=RESAMPLES, seed=5)

    assert numbers(1).results.equals(alone)
    for table in ("results", "comparisons", "sensitivity"):
        assert getattr(numbers(1), table).equals(getattr(numbers(4), table))


def test_model_comparison_uses_the_metrics_judged_for_both_and_the_same_draws():
    common = ["a/m1", "a/m2", "a/m3", "b/m4", "c/m8", "c/m9"]
    drawn = plain_draws(common, "x", "all") - plain_draws(common, "z", "all")

    found = row(numbers().comparisons, kind="model", group="overall", polarity="positive", profile="all")

    both = TABLE[TABLE["metric"].isin(common) & TABLE["present"].notna()]
    rate = both.groupby("model")["present"].mean()
    assert (found["a"], found["b"], found["n_metrics"]) == ("x", "z", 6)
    assert found["difference"] == pytest.approx(float(rate["x"] - rate["z"]))
    assert (found["ci_low"], found["ci_high"]) == (nearest(drawn, 25), nearest(drawn, 975))
    assert found["distinguishable"] == (found["ci_low"] > 0)
    assert found["p"] == max(2 * (drawn <= 0).mean(), 1 / (RESAMPLES + 1))


def test_profile_comparison_of_one_model_leaves_out_metrics_of_one_profile_only():
    common = ["a/m1", "a/m2", "a/m3", "b/m4", "b/m5"]
    drawn = plain_draws(common, "x", "teen") - plain_draws(common, "x", "adult")

    found = row(numbers().comparisons, kind="profile", group="overall", polarity="positive", model="x")

    assert (found["a"], found["b"], found["n_metrics"], found["profile"]) == ("teen", "adult", 5, None)
    assert (found["ci_low"], found["ci_high"]) == (nearest(drawn, 25), nearest(drawn, 975))


def test_polarity_comparison_is_positive_minus_negative():
    positive = list(TABLE.loc[TABLE["polarity"] == "positive", "metric"].unique())
    drawn = plain_draws(positive, "z", "teen") - plain_draws(["b/m6", "b/m7"], "z", "teen")

    found = row(numbers().comparisons, kind="polarity", group="overall", profile="teen", model="z")

    assert (found["a"], found["b"], found["polarity"], found["n_metrics"]) == ("positive", "negative", None, 7)
    assert (found["ci_low"], found["ci_high"]) == (nearest(drawn, 25), nearest(drawn, 975))


def test_comparison_over_one_metric_has_a_difference_and_no_interval():
    found = row(numbers().comparisons, kind="model", group="subarea", key="s1", polarity="positive", profile="teen")

    assert found["n_metrics"] == 1
    assert found["difference"] == pytest.approx(2 / 3)
    names = ("ci_low", "ci_high", "p", "distinguishable", "distinguishable_adjusted")
    assert [found[name] for name in names] == [None] * 5


def test_metrics_are_not_compared_one_by_one():
    assert set(numbers().comparisons["group"]) == {"overall", "benchmark", "subarea"}


def test_sensitivity_rows_by_hand():
    table = numbers().sensitivity

    equal = row(table, kind="equal-benchmark", model="x", polarity="positive")
    without = row(table, kind="leave-one-benchmark-out", model="z", benchmark="a", polarity="positive")
    rest = row(table, kind="benchmark-vs-rest", benchmark="a", polarity="positive")
    teen_adult = row(table, kind="profile-consistency", model="x", polarity="positive")

    a, b, c = 10 / 18, 9 / 11, 5 / 6
    assert (equal["value"], equal["n"]) == (pytest.approx((a + b + c) / 3), 3)
    assert (without["value"], without["n"]) == (5 / 11, 11)
    assert (rest["value"], rest["n"], rest["reason"]) == (None, 2, "fewer than 3 pairs")
    assert (teen_adult["profile_a"], teen_adult["profile_b"], teen_adult["n"]) == ("teen", "adult", 3)


def test_sensitivity_without_aware_counts_only_the_rest():
    aware = TABLE.assign(aware=[number == 0 for number in range(len(TABLE))])

    table = release_numbers(
        aware, GROUPS, profiles=["teen", "adult"], models=["x", "z"], resamples=20, seed=0
    ).sensitivity

    found = row(table, kind="without-aware", model="x", polarity="positive")
    whole = TABLE[(TABLE["model"] == "x") & (TABLE["polarity"] == "positive")]["present"]
    assert (found["value"], found["n"]) == ((whole.sum() - 1) / (whole.notna().sum() - 1), whole.notna().sum() - 1)
