"""Change between two releases, against plain loops over the same draws."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evaluation.statistics.bootstrap import metric_weights
from evaluation.statistics.release_change import change_table, changes

COLUMNS = ["benchmark", "metric", "version", "polarity", "model", "profile", "passed", "judged"]


def verdicts(*lines):
    """One line 'metric version polarity model profile marks', each mark y or n a judged conversation; counted."""
    rows = []
    for line in lines:
        metric, version, sign, model, profile, marks = line.split()
        polarity = {"+": "positive", "-": "negative"}[sign]
        rows.append((metric[0], metric, int(version), polarity, model, profile, marks.count("y"), len(marks)))
    return pd.DataFrame(rows, columns=COLUMNS)


OLD = verdicts(
    "a1 1 + x teen yyyy", "a2 1 + x teen yyyn", "a3 1 + x teen yynn", "a4 1 + x teen yyyy", "b1 1 + x teen nyyy",
    "a1 1 + z teen yn", "a2 1 + z teen yy", "b1 1 + z teen yn", "b2 1 - x teen yn",
)  # fmt: skip
NEW = verdicts(
    "a1 1 + x teen nnny", "a2 1 + x teen nynn", "a3 2 + x teen yyyy", "a4 1 + x adult nnnn", "b1 1 + x teen nnyy",
    "a1 1 + z teen yn", "a2 1 + z teen yn", "b1 1 + z teen yy", "c1 1 + w teen yy", "b2 1 - x teen yy",
)  # fmt: skip


def found(threshold=0.05, resamples=300):
    groups = {"area": {"one": ["a1", "a2", "c1"]}}
    return {
        (one.group, one.key, one.model, one.polarity): one
        for one in changes(OLD, NEW, groups, resamples=resamples, seed=4, threshold=threshold)
    }


def test_only_what_both_measured_alike_counts():
    x = found()[("overall", "", "x", "positive")]

    # a3 is worded otherwise, a4 was asked by other people.
    assert (x.n_metrics, x.old_judged, x.new_judged) == (3, 12, 12)
    assert (x.old_rate, x.new_rate, x.change) == (10 / 12, 4 / 12, 4 / 12 - 10 / 12)
    assert {model for _, _, model, _ in found()} == {None, "x", "z"}


def test_pool_holds_pairs_of_metric_and_model():
    pool = found()[("overall", "", None, "positive")]

    assert (pool.old_rate, pool.new_rate, pool.n_metrics) == (14 / 18, 8 / 18, 3)


def test_interval_is_that_of_loops_over_shared_weights():
    x = found()[("overall", "", "x", "positive")]

    strata = {"a1": ("a", "positive"), "a2": ("a", "positive"), "b1": ("b", "positive"), "b2": ("b", "negative")}
    weights = metric_weights(strata, resamples=300, seed=4)
    old, new, judged = {"a1": 4, "a2": 3, "b1": 3}, {"a1": 1, "a2": 1, "b1": 2}, 4
    drawn = []
    for draw in range(300):
        w = {metric: int(weights.weights[row, draw]) for row, metric in enumerate(weights.metrics)}
        total = sum(w[metric] * judged for metric in old)
        drawn.append(sum(w[m] * new[m] for m in new) / total - sum(w[m] * old[m] for m in old) / total)
    drawn.sort()
    assert (x.low, x.high) == pytest.approx((drawn[7], drawn[292]))


def test_flag_needs_size_and_interval():
    assert found()[("overall", "", "x", "positive")].flag == "worse"
    assert found(threshold=0.6)[("overall", "", "x", "positive")].flag == ""
    # z neither gains nor loses: its interval holds 0.
    assert found()[("overall", "", "z", "positive")].flag == ""


def test_one_metric_has_a_change_and_no_interval():
    one = found()[("overall", "", "x", "negative")]

    assert (one.change, one.low, one.high, one.flag, one.holds_adjusted) == (0.5, None, None, "", None)


def test_group_without_a_common_metric_is_left_out():
    groups = {"area": {"one": ["a3"], "two": ["c1"]}}

    assert {one.group for one in changes(OLD, NEW, groups, resamples=50, seed=1)} == {"overall"}


@pytest.mark.parametrize("old", [verdicts(), verdicts("a9 1 + x teen yy"), verdicts("a1 1 + y teen yy")])
def test_nothing_in_common_gives_nothing(old):
    assert changes(old, NEW, {}, resamples=50, seed=1) == []


def test_table_names_places_and_models():
    table = change_table(list(found().values()), models={"x": "Model X"}, places={("area", "one"): "One"}, points=5)

    first = table.rows[1]
    assert (first["place"], first["model"], first["flag"]) == ("Everything", "Model X", "worse")
    assert {row["place"] for row in table.rows} == {"Everything", "One"}


def test_change_is_the_opposite_the_other_way_round():
    back = changes(NEW, OLD, {}, resamples=300, seed=4)
    forth = changes(OLD, NEW, {}, resamples=300, seed=4)

    assert [-one.change for one in back] == [one.change for one in forth]
    assert replace(forth[1], change=0).old_rate == back[1].new_rate
    assert back[1].high is not None
    assert forth[1].low is not None
    assert np.isclose(-back[1].high, forth[1].low, atol=0.1)
