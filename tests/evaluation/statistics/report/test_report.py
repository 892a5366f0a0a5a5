"""The tables of the report on a release small enough to compute by hand."""

import pytest

from evaluation.statistics.report.report import TABLES
from evaluation.statistics.report.writing import cell_text
from tests.support.reports import numbers_of, report_of

GOOD, BAD = "Good behaviours shown", "Bad behaviours avoided"
# x passes 4 of 6 positive and 3 of 6 negative, z 2 of 6 and 1 of 6.
LINES = (
    "a/m1 + x teen yn", "a/m1 + x adult y", "a/m2 + x teen y", "a/m2 + x adult yn",
    "a/m1 + z teen nn", "a/m1 + z adult y", "a/m2 + z teen n", "a/m2 + z adult yn",
    "b/m3 - x teen nn", "b/m3 - x adult y", "b/m4 - x teen n", "b/m4 - x adult yy",
    "b/m3 - z teen yy", "b/m3 - z adult y", "b/m4 - z teen y", "b/m4 - z adult yn",
)  # fmt: skip
# One polarity, one profile, one model, nothing judged, a model with few of the metrics, profiles with other metrics.
STRANGE = {
    "one conversation": ("a/m1 + x teen y",),
    "nothing judged": ("a/m1 + x teen uu", "a/m2 - x teen p"),
    "one polarity": ("a/m1 - x teen yn", "a/m2 - z teen ny"),
    "one profile": ("a/m1 + x teen yn", "a/m2 - x teen yn", "a/m1 + z teen yy"),
    "no metric in common": ("a/m1 + x teen yn", "a/m2 + z adult yn", "b/m3 - z adult yn"),
    "unknown polarity": ("a/m1 ? x teen yn", "a/m2 + x teen yn"),
}


def cells(table, *keys):
    return [tuple(row[key] for key in keys) for row in table.rows]


def test_headline_pools_models_by_polarity_and_profile():
    rows = report_of(*LINES)["headline"].rows

    assert [(r["polarity"], r["profile"], r["rate"], r["judged"], r["metrics"]) for r in rows] == [
        (GOOD, "Everyone", 6 / 12, 12, 2),
        (BAD, "Everyone", 4 / 12, 12, 2),
        (GOOD, "adult", 4 / 6, 6, 2),
        (BAD, "adult", 1 / 6, 6, 2),
        (GOOD, "teen", 2 / 6, 6, 2),
        (BAD, "teen", 3 / 6, 6, 2),
    ]


def test_area_holds_both_rates_and_their_gap():
    (row,) = report_of(*LINES)["areas"].rows

    assert (row["place"], row["positive_rate"], row["negative_rate"]) == ("life", 6 / 12, 4 / 12)
    assert row["gap"] == 6 / 12 - 4 / 12


def test_subareas_hold_mean_range_spread_and_a_leader_that_names_ties():
    rows = report_of(*LINES)["subareas"].rows

    assert cells(report_of(*LINES)["subareas"], "place", "polarity", "lowest", "highest") == [
        ("a", GOOD, 2 / 6, 4 / 6),
        ("b", BAD, 1 / 6, 3 / 6),
    ]
    assert [(row["mean"], row["sd"]) for row in rows] == [pytest.approx((0.5, 1 / 6)), pytest.approx((1 / 3, 1 / 6))]
    assert [row["leader"] for row in rows] == ["x; not told apart from it: 1 model"] * 2


def test_gaps_stand_by_name_beside_their_rates():
    assert cells(report_of(*LINES)["polarity-gap"], "model", "positive_rate", "negative_rate", "metrics") == [
        ("All models together", 6 / 12, 4 / 12, 4),
        ("x", 4 / 6, 3 / 6, 4),
        ("z", 2 / 6, 1 / 6, 4),
    ]


def test_models_hold_pooled_and_equal_benchmark_rates():
    assert cells(report_of(*LINES)["models"], "model", "positive_rate", "positive_equal", "negative_coverage") == [
        ("x", 4 / 6, 4 / 6, 1.0),
        ("z", 2 / 6, 2 / 6, 1.0),
    ]


def test_spans_hold_extremes_and_halves():
    rows = report_of(*LINES)["spans"].rows

    assert [(r["models"], r["lowest"], r["highest"], r["upper"], r["lower"], r["half"]) for r in rows] == [
        (2, 2 / 6, 4 / 6, 4 / 6, 2 / 6, 1),
        (2, 1 / 6, 3 / 6, 3 / 6, 1 / 6, 1),
    ]
    assert [row["span"] for row in rows] == [4 / 6 - 2 / 6, 3 / 6 - 1 / 6]


def test_pairs_stand_once_a_polarity():
    assert cells(report_of(*LINES)["pairs"], "a", "b", "polarity", "difference", "metrics") == [
        ("x", "z", GOOD, 4 / 6 - 2 / 6, 2),
        ("x", "z", BAD, 3 / 6 - 1 / 6, 2),
    ]


def test_metrics_are_parted_in_the_middle_when_there_are_few():
    assert cells(report_of(*LINES)["metrics"], "end", "slug", "passed", "judged") == [
        ("most often", "a/m1", 3, 6),
        ("least often", "a/m2", 3, 6),
        ("most often", "b/m3", 2, 6),
        ("least often", "b/m4", 2, 6),
    ]


def test_profile_differences_name_both_sides():
    first = report_of(*LINES)["profiles"].rows[0]

    assert (first["place"], first["a"], first["b"], first["difference"]) == ("All benchmarks", "adult", "teen", 1 / 3)


def test_model_with_few_metrics_is_shown_and_stands_in_no_order():
    tables = report_of(*LINES, "a/m1 + y teen yyy", "b/m3 - y teen nnn", "b/m4 - y adult nnn")

    shown = cells(tables["models"], "model", "positive_rate", "positive_coverage")
    assert shown[1] == ("y", 1.0, 0.5)
    assert [(row["a"], row["b"]) for row in tables["pairs"].rows if row["polarity"] == GOOD] == [("x", "z")]
    assert tables["spans"].rows[0]["models"] == 2
    assert tables["spans"].notes == ["Under 80 % of the metrics, so in no order here: y."]
    leaders = [row["leader"] for row in tables["subareas"].rows if row["polarity"] == GOOD]
    assert leaders == ["x; not told apart from it: 1 model"]


def test_no_pair_that_turns_round_is_said():
    lines = [line.replace("a/m2", "c/m2") for line in LINES]

    table = report_of(*lines)["reversals"]

    assert (table.rows, table.notes) == ([], ["Pairs that turn round: 0 of 1."])


def test_pair_that_hangs_on_one_benchmark_names_it():
    lines = ("a/m1 + x teen yyyyyy", "a/m1 + z teen nnnnnn", "b/m2 + x teen nnny", "b/m2 + z teen yyyn")

    table = report_of(*lines)["reversals"]

    assert cells(table, "a", "b", "benchmarks", "n") == [("x", "z", "a", 1)]
    assert table.notes == ["Pairs that turn round: 1 of 1."]


def test_one_model_has_no_spread_no_leader_and_no_pair():
    tables = report_of("a/m1 + x teen yn", "a/m2 + x teen yy")

    (row,) = tables["subareas"].rows
    assert (row["mean"], row["sd"], row["lowest"], row["leader"]) == (0.75, None, None, None)
    assert "spans" not in tables
    assert "pairs" not in tables


@pytest.mark.parametrize("situation", STRANGE)
def test_strange_release_gives_honest_tables(situation):
    numbers = numbers_of(*STRANGE[situation])

    for make in TABLES:
        table = make(numbers)
        for row in table.rows:
            text = {column.key: cell_text(column, row) for column in table.columns}
            assert "nan" not in " ".join(text.values()).lower()
            for prefix in ("", "positive_", "negative_"):
                if f"{prefix}rate" in row and not row[f"{prefix}judged"]:
                    assert (text[f"{prefix}rate"], text.get(f"{prefix}interval", "–")) == ("–", "–")


def test_nothing_judged_gives_no_pair_and_no_gap():
    tables = report_of(*STRANGE["nothing judged"])

    assert {"pairs", "polarity-gap", "spans", "metrics", "profiles", "reversals"} & set(tables) == set()
    assert [row["rate"] for row in tables["headline"].rows] == [None] * len(tables["headline"].rows)
