"""The table of a release's results: counts, coverage and methods of hand-computed cells."""

from collections.abc import Collection

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.statistics.pass_rates import COLUMNS, release_results
from tests.support.verdicts import verdict_table


def results_of(table, groups=None, *, models=("x", "z"), profiles=("teen", "adult"), resamples=200, seed=0):
    return release_results(table, groups or {}, profiles=profiles, models=models, resamples=resamples, seed=seed)


def cell(results, group, key, model, polarity="positive", profile="all"):
    """The one row of a cell as a dict."""
    same_key = results["key"].isna() if key is None else results["key"] == key
    same_model = results["model"].isna() if model is None else results["model"] == model
    chosen = results[
        (results["group"] == group)
        & same_key
        & same_model
        & (results["polarity"] == polarity)
        & (results["profile"] == profile)
    ]
    assert len(chosen) == 1
    return chosen.iloc[0].to_dict()


def test_cell_counts_every_kind_of_conversation():
    table = verdict_table("a/m1 + x teen yyynuusp", "a/m2 + x teen nn", "a/m3 + z teen y", "a/m4 - x teen y")

    result = cell(results_of(table), "overall", None, "x")

    del result["ci_low"], result["ci_high"], result["ci50_low"], result["ci50_high"], result["n_draws"]
    assert result == {
        "group": "overall",
        "key": None,
        "model": "x",
        "polarity": "positive",
        "profile": "all",
        "n_metrics": 2,
        "n_planned": 10,
        "n_conversations": 9,
        "n_judged": 6,
        "n_unjudged": 3,
        "n_passed": 3,
        "pass_rate": 0.5,
        "ci_method": "metric-cluster-bootstrap",
        "coverage": 2 / 3,
        "unjudged_reasons": {"judge-empty": 2, "split": 1},
    }


def test_columns_are_those_promised():
    assert tuple(results_of(verdict_table("a/m1 + x teen y")).columns) == COLUMNS


def test_negative_metric_passes_when_the_behaviour_is_absent():
    table = verdict_table("a/m1 - x teen ynn")

    assert cell(results_of(table), "metric", "a/m1", "x", "negative")["pass_rate"] == 2 / 3


def test_models_and_profiles_are_pooled_conversation_by_conversation():
    table = verdict_table("a/m1 + x teen y", "a/m1 + z teen nnn", "a/m1 + z adult yyyy")

    results = results_of(table)

    assert cell(results, "metric", "a/m1", None)["pass_rate"] == 5 / 8
    assert cell(results, "metric", "a/m1", None, profile="teen")["pass_rate"] == 1 / 4
    assert cell(results, "metric", "a/m1", "z")["pass_rate"] == 4 / 7


def test_model_without_data_in_a_group_has_a_row_without_a_rate():
    table = verdict_table("a/m1 + x teen y", "a/m1 + z teen y", "a/m2 + x teen yn")

    result = cell(results_of(table), "metric", "a/m2", "z")

    assert (result["n_planned"], result["n_judged"], result["pass_rate"]) == (0, 0, None)
    assert (result["ci_low"], result["ci_high"], result["ci_method"]) == (None, None, "none")
    assert (result["n_draws"], result["coverage"]) == (0, 0.0)


def test_model_with_nothing_planned_in_a_profile_has_no_row_there():
    table = verdict_table("a/m1 + x teen y", "a/m1 + z adult y")

    results = results_of(table)

    assert not ((results["model"] == "x") & (results["profile"] == "adult")).any()


def test_everything_unjudged_is_no_rate_and_never_zero():
    table = verdict_table("a/m1 + x teen uu", "a/m2 + x teen s")

    result = cell(results_of(table), "overall", None, "x")

    assert (result["n_conversations"], result["n_unjudged"], result["pass_rate"]) == (3, 3, None)
    assert result["ci_method"] == "none"
    assert result["unjudged_reasons"] == {"judge-empty": 2, "split": 1}


def test_metric_of_unknown_polarity_takes_no_part():
    table = verdict_table("a/m1 + x teen yn", "a/m9 ? x teen nnn")

    results = results_of(table, {"benchmark": {"a": ["a/m1", "a/m9"]}})

    assert cell(results, "benchmark", "a", "x")["n_planned"] == 2
    assert not (results["key"] == "a/m9").any()


def test_single_metric_falls_back_to_wilson():
    table = verdict_table("a/m1 + x teen yyn", "a/m2 + x teen yn")

    result = cell(results_of(table), "metric", "a/m1", "x")

    assert (result["ci_method"], result["ci50_low"], result["ci50_high"]) == ("wilson", None, None)
    assert 0 < result["n_draws"] < 200


def test_interval_without_width_falls_back_to_wilson():
    table = verdict_table("a/m1 + x teen yy", "a/m2 + x teen yyy", "a/m3 + x teen y")

    result = cell(results_of(table), "overall", None, "x")

    assert (result["ci_method"], result["ci_high"], result["n_draws"]) == ("wilson", 1.0, 200)
    assert result["ci_low"] < 1.0


def test_few_usable_draws_fall_back_to_wilson():
    others = [f"a/n{i:02} + z teen y" for i in range(40)]
    table = verdict_table("a/m1 + x teen yy", "a/m2 + x teen n", *others)

    result = cell(results_of(table), "overall", None, "x")

    assert (result["n_metrics"], result["ci_method"]) == (2, "wilson")
    assert 150 < result["n_draws"] < 180


def test_label_row_of_one_polarity_keeps_to_it():
    table = verdict_table("a/m1 + x teen y", "a/m2 - x teen y")
    row = ["a/m1", "a/m2"]

    results = results_of(table, {"label-row": {("honesty", "negative"): row}, "subarea": {"honesty": row}})

    by_group = results[results["model"].isna() & (results["profile"] == "all")]
    assert by_group[by_group["group"] == "label-row"]["polarity"].tolist() == ["negative"]
    assert by_group[by_group["group"] == "subarea"]["polarity"].tolist() == ["positive", "negative"]


@pytest.mark.parametrize(
    ("lines", "models", "profiles", "message"),
    [
        (["a/m1 + q teen y"], ["x"], ["teen"], "the model 'q'"),
        (["a/m1 + x old y"], ["x"], ["teen"], "the profile 'old'"),
        (["a/m1 + x all y"], ["x"], ["all"], "may be called 'all'"),
        (["a/m1 + x teen y", "a/m1 - x teen y"], ["x"], ["teen"], "two polarities"),
    ],
)
def test_contradictory_verdicts_are_refused(lines, models, profiles, message):
    with pytest.raises(ValueError, match=message):
        results_of(verdict_table(*lines), models=models, profiles=profiles)


def test_conversation_given_twice_is_refused():
    table = verdict_table("a/m1 + x teen y")

    with pytest.raises(ValueError, match="twice"):
        results_of(pd.concat([table, table]))


def test_release_without_verdicts_has_no_results():
    assert len(results_of(verdict_table())) == 0


LINES = st.lists(
    st.tuples(
        st.sampled_from(["a/m1 +", "a/m2 +", "a/m3 -", "b/m1 +", "b/m2 -", "b/m3 ?"]),
        st.sampled_from(["x", "z"]),
        st.sampled_from(["teen", "adult"]),
        st.text(alphabet="ynusp", min_size=1, max_size=4),
    ).map(" ".join),
    min_size=1,
    max_size=12,
)
PLACEMENTS: dict[str, dict[str, Collection[str]]] = {
    "area": {"whole": {"a/m1", "a/m2", "a/m3", "b/m1", "b/m2", "b/m3"}},
    "subarea": {"one": ["a/m1", "a/m2", "a/m1"], "two": {"a/m1", "a/m3", "b/m1", "b/m2", "b/m3"}},
}


@settings(deadline=None, max_examples=40)
@given(LINES, st.randoms(use_true_random=False))
def test_row_order_is_irrelevant(lines, random):
    table = verdict_table(*lines)
    order = list(range(len(table)))
    random.shuffle(order)

    shuffled = results_of(table.iloc[order], PLACEMENTS, resamples=20)

    pd.testing.assert_frame_equal(shuffled, results_of(table, PLACEMENTS, resamples=20))


@settings(deadline=None, max_examples=40)
@given(LINES)
def test_metric_in_two_subareas_counts_in_each_and_once_in_their_area(lines):
    results = results_of(verdict_table(*lines), PLACEMENTS, resamples=20)

    numbers = [name for name in COLUMNS if name not in ("group", "key")]
    area = results[results["group"] == "area"][numbers].reset_index(drop=True)
    overall = results[results["group"] == "overall"][numbers].reset_index(drop=True)
    pd.testing.assert_frame_equal(area, overall)
    for key, members in PLACEMENTS["subarea"].items():
        of_metrics = results[(results["group"] == "metric") & results["key"].isin(set(members))]
        of_subarea = results[(results["group"] == "subarea") & (results["key"] == key)]
        assert of_subarea["n_planned"].sum() == of_metrics["n_planned"].sum()


@settings(deadline=None, max_examples=40)
@given(LINES)
def test_unjudged_leave_the_denominator_and_are_counted_beside_it(lines):
    table = verdict_table(*lines)

    results = results_of(table, PLACEMENTS, resamples=20)
    without = results_of(table[table["present"].notna()], PLACEMENTS, resamples=20)

    assert (results["n_judged"] + results["n_unjudged"] == results["n_conversations"]).all()
    assert (results["unjudged_reasons"].map(lambda r: sum(r.values())) == results["n_unjudged"]).all()
    key = ["group", "key", "model", "polarity", "profile"]
    both = results.fillna({"key": "", "model": ""}).merge(
        without.fillna({"key": "", "model": ""}), on=key, suffixes=("", "_without")
    )
    assert both["n_passed"].tolist() == both["n_passed_without"].tolist()
    assert both["pass_rate"].tolist() == both["pass_rate_without"].tolist()
    assert np.all(results["pass_rate"].isna() == (results["n_judged"] == 0))
