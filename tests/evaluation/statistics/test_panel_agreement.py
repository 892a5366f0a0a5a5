"""Agreement of several judges: against the coefficients of `agreement`, and against plain loops over metrics."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd
import pytest

from evaluation.statistics.agreement import (
    against_majority,
    cohens_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
)
from evaluation.statistics.bootstrap import MetricWeights, metric_weights
from evaluation.statistics.panel_agreement import Agreement, panel_agreement

# One conversation: what each judge (a, b, c) says of it; y present, n absent, - nothing.
MARKS = {
    "x/m1": ("yyy", "yyn", "nnn", "yny"), "x/m2": ("yy-", "nny", "yyy"), "x/m3": ("nnn", "-ny", "y--"),
    "y/m1": ("yyy", "nnn", "nyn"), "y/m2": ("yny", "nnn", "yyn"),
}  # fmt: skip
SAYS = {"y": True, "n": False, "-": None}


def readings(marks: Mapping[str, Sequence[str]], polarity: str = "positive", profile: str = "teen") -> pd.DataFrame:
    rows = [
        (f"{metric} {polarity} {profile} {at}", "abcdef"[judge], metric, polarity, profile, 1, int(mark == "y"))
        for metric, items in marks.items()
        for at, item in enumerate(items)
        for judge, mark in enumerate(item)
        if mark != "-"
    ]
    columns = ["conversation", "judge", "metric", "polarity", "profile", "n", "n_present"]
    return pd.DataFrame(rows, columns=columns)


def weights(resamples: int = 200, more: Mapping[str, str] = MappingProxyType({})) -> MetricWeights:
    strata = {metric: (metric.partition("/")[0], "positive") for metric in MARKS}
    return metric_weights({**strata, **{metric: ("z", kind) for metric, kind in more.items()}}, resamples=resamples,
                          seed=3)  # fmt: skip


def lines(marks: Mapping[str, Sequence[str]], **options: Any) -> list[Agreement]:
    found = panel_agreement(readings(marks), weights(**options), polarities=["positive"], profiles=["teen"])
    return [line for line in found if line.profile == "all"]


def table(marks: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    return pd.DataFrame([[SAYS[mark] for mark in item] for items in marks.values() for item in items], dtype=object)


def test_pairs_are_cohens_kappa() -> None:
    wide = table(MARKS)

    pairs = [line for line in lines(MARKS) if line.kind == "pair"]

    assert [(line.judge_a, line.judge_b, line.coefficient_name) for line in pairs] == [
        ("a", "b", "cohen-kappa"),
        ("a", "c", "cohen-kappa"),
        ("b", "c", "cohen-kappa"),
    ]
    for line, (one, other) in zip(pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        expected = cohens_kappa(list(wide[one]), list(wide[other]))
        assert (line.n, line.coefficient) == (expected.n_items, pytest.approx(expected.value))
        assert line.agreement == pytest.approx(pairwise_agreement(wide[[one, other]]).value)


def test_panel_is_krippendorffs_alpha_and_the_mean_share_of_equal_pairs() -> None:
    (panel,) = (line for line in lines(MARKS) if line.kind == "panel")

    alpha, share = krippendorff_alpha(table(MARKS)), pairwise_agreement(table(MARKS))
    assert (panel.judge_a, panel.judge_b, panel.coefficient_name) == (None, None, "krippendorff-alpha")
    assert (panel.n, panel.n_metrics) == (alpha.n_items, 5)
    assert panel.coefficient == pytest.approx(alpha.value)
    assert panel.agreement == pytest.approx(share.value)


def test_judge_is_set_against_the_majority_of_the_others() -> None:
    wide = table(MARKS)

    found = [line for line in lines(MARKS) if line.kind == "judge-against-majority"]

    assert [(line.judge_a, line.judge_b) for line in found] == [("a", None), ("b", None), ("c", None)]
    for place, line in enumerate(found):
        expected = against_majority(list(wide[place]), wide.drop(columns=place))
        assert (line.n, line.agreement) == (expected.n_items, pytest.approx(expected.agreement))
        assert line.coefficient == pytest.approx(expected.kappa.value)


def test_two_judges_have_no_majority_beside_them() -> None:
    two = {metric: [item[:2] for item in items] for metric, items in MARKS.items()}

    assert [line.kind for line in lines(two)] == ["pair", "panel"]


@pytest.mark.parametrize(("kind", "coefficient"), [("pair", "kappa"), ("panel", "alpha")])
def test_interval_is_that_of_loops_over_metrics_drawn_again(kind: str, coefficient: str) -> None:
    line = next(line for line in lines(MARKS, resamples=150) if line.kind == kind)

    drawn, of = weights(150), []
    for draw in range(150):
        chosen = {f"{row} {again}": MARKS[metric] for row, metric in enumerate(drawn.metrics)
                  for again in range(drawn.weights[row, draw])}  # fmt: skip
        wide = table(chosen)
        value = (
            cohens_kappa(list(wide[0]), list(wide[1])) if coefficient == "kappa" else krippendorff_alpha(wide)
        ).value
        if value is not None:
            of.append(value)
    of.sort()
    nearest = [of[max((share * len(of) + 999) // 1000, 1) - 1] for share in (25, 975)]
    assert [line.ci_low, line.ci_high] == pytest.approx(nearest)
    assert (line.ci_method, line.n_draws, line.reason) == ("metric-cluster-bootstrap", len(of), "")


def test_reading_of_a_judge_is_the_majority_of_its_repeats_and_split_ones_say_nothing() -> None:
    once = readings({"x/m1": ["yy", "nn", "yn"], "x/m2": ["yy", "ny"]})
    repeated = once.assign(n=3, n_present=once["n_present"] + 1)
    split = readings({"y/m1": ["yn"]}).assign(n=2, n_present=1)

    a = panel_agreement(once, weights(), polarities=["positive"], profiles=[])
    b = panel_agreement(pd.concat([repeated, split]), weights(), polarities=["positive"], profiles=[])

    assert a == b


def test_polarities_and_profiles_are_lines_of_their_own() -> None:
    teens = readings({"x/m1": ["yy", "yn"]})
    adults = readings({"x/m1": ["nn"]}, profile="adult")
    negative = readings({"z/m9": ["yn"]}, polarity="negative")

    found = panel_agreement(
        pd.concat([teens, adults, negative]),
        weights(more={"z/m9": "negative"}),
        polarities=["positive", "negative"],
        profiles=["teen", "adult"],
    )

    assert [(line.polarity, line.profile, line.n, line.agreement) for line in found if line.kind == "pair"] == [
        ("positive", "all", 3, pytest.approx(2 / 3)),
        ("positive", "teen", 2, 0.5),
        ("positive", "adult", 1, 1.0),
        ("negative", "all", 1, 0.0),
        ("negative", "teen", 1, 0.0),
        ("negative", "adult", 0, None),
    ]


def test_one_judge_agrees_with_nobody() -> None:
    found = panel_agreement(readings({"x/m1": ["y"]}), weights(), polarities=["positive"], profiles=["teen"])

    assert [(line.kind, line.profile, line.n, line.agreement, line.coefficient, line.reason) for line in found] == [
        ("panel", "all", 0, None, None, "only one judge"),
        ("panel", "teen", 0, None, None, "only one judge"),
    ]


@pytest.mark.parametrize(
    ("marks", "agreement", "coefficient", "reason"),
    [
        ({"x/m1": ["y-", "-y"]}, None, None, "no conversation was read by two of these"),
        ({"x/m1": ["yy"], "x/m2": ["yy"]}, 1.0, None, "no coefficient: all readings are alike"),
        ({"x/m1": ["yy", "nn"]}, 1.0, 1.0, "no interval: fewer than 2 metrics"),
        ({"x/m1": ["yy", "nn"], "y/m1": ["yy", "nn"]}, 1.0, 1.0, "no interval: all draws are alike"),
    ],
)
def test_what_does_not_exist_is_null_with_its_reason(
    marks: Mapping[str, Sequence[str]], agreement: float | None, coefficient: float | None, reason: str
) -> None:
    pair = lines(marks)[0]

    assert (pair.agreement, pair.coefficient, pair.reason) == (agreement, coefficient, reason)
    assert (pair.ci_low, pair.ci_high, pair.ci_method) == (None, None, "none")


def test_full_panels_of_large_n_come_close_to_fleiss() -> None:
    marks = {metric: ["yyy", "nnn", "yyn", "nny"] * 200 for metric in MARKS}

    (panel,) = (line for line in lines(marks) if line.kind == "panel")

    assert panel.coefficient == pytest.approx(fleiss_kappa(table(marks)).value, abs=1e-3)
