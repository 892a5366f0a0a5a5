"""Small studies whose numbers can be written down."""

import pandas as pd
import pytest

from evaluation.studies.analysis import Analysis, analyse
from evaluation.studies.designs import Design, ExpertReview, JudgeRepeatability, JudgmentReview, ScenarioReview

ITEM = {"benchmark": "b", "polarity": "positive", "profile": "adult", "target": "t", "conversation": "c"}


def _items(*facts: tuple[int, str, str, bool | None]) -> pd.DataFrame:
    """Items by number, unit, metric, and whether the judge passed them."""
    rows = [
        {**ITEM, "item": n, "unit": unit, "metric": metric, "scenario": str(n), "judged_passed": passed}
        for n, unit, metric, passed in facts
    ]
    return pd.DataFrame(rows).assign(judged_present=lambda table: table["judged_passed"])


def _ratings(question: str, given: dict[int, list[object]]) -> pd.DataFrame:
    """One answer of raters r0, r1 and so on to a question on each item; None where a rater has none."""
    rows = [
        (item, f"r{rater}", "conversation", question, value, 30)
        for item, values in given.items()
        for rater, value in enumerate(values)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "unit", "question", "value", "seconds"])


def _analysis(
    kind: str, design: Design, question: str, given: dict[int, list[object]], items: pd.DataFrame
) -> Analysis:
    return analyse(kind, design, _ratings(question, given), items)


def test_marks_have_mean_deviation_and_share_of_the_upper_two() -> None:
    items = _items(*((n, "scenario", f"m{n}", None) for n in range(1, 5)))

    found = _analysis("scenario-review", ScenarioReview(), "quality", {1: [4], 2: [3], 3: [2], 4: [3]}, items)

    whole = found.scales[0]
    assert (whole.n, whole.n_metrics, whole.mean.value, whole.sd) == (4, 4, 3.0, pytest.approx((2 / 3) ** 0.5))
    assert whole.upper is not None
    assert (whole.upper.value, whole.mean.method) == (0.75, "metrics")
    assert whole.counts == {"1": 0, "2": 1, "3": 2, "4": 1}
    assert [(row.by, row.key) for row in found.scales[1:5]] == [("metric", f"m{n}") for n in range(1, 5)]
    assert (found.n_items, found.n_rated, found.n_ratings, found.n_raters) == (4, 4, 4, 1)


def test_one_mark_has_no_deviation_and_no_interval() -> None:
    found = _analysis("scenario-review", ScenarioReview(), "quality", {1: [4]}, _items((1, "scenario", "m", None)))

    assert (found.scales[0].sd, found.scales[0].mean.low) == (None, None)
    assert found.scales[0].mean.reason == "no interval: fewer than 2 items"
    assert (found.scales[0].upper.method if found.scales[0].upper else None) == "wilson"


def test_the_judge_is_held_against_strict_majorities_and_the_rest_is_counted() -> None:
    items = _items(*((n, "conversation", f"m{n % 2}", passed) for n, passed in enumerate([True, True, False, None], 1)))
    given: dict[int, list[object]] = {
        1: ["pass", "pass", "fail"],
        2: ["fail", "fail", "borderline"],
        3: ["pass", "fail", "borderline"],
        4: ["pass", "pass", "pass"],
    }

    found = _analysis("expert-review", ExpertReview(), "outcome", given, items)

    whole = found.judge[0]
    assert (whole.n_items, whole.n_without_majority, whole.n_unjudged) == (2, 1, 1)
    assert (whole.n_passed, whole.n_failed) == (1, 1)
    assert (whole.agreement.value, whole.sensitivity.value, whole.specificity.value) == (0.5, 1.0, 0.0)
    assert whole.kappa.value == 0.0
    assert [(row.item, row.why) for row in found.disagreements] == [
        (1, "raters differ"),
        (2, "raters differ"),
        (2, "the judge differs"),
        (3, "raters differ"),
    ]
    assert found.disagreements[0].counts == {"fail": 1, "pass": 2}


def test_borderline_is_a_category_of_its_own() -> None:
    items = _items(*((n, "conversation", f"m{n}", True) for n in (1, 2, 3)))
    given: dict[int, list[object]] = {1: ["pass", "pass"], 2: ["borderline", "fail"], 3: ["pass", None]}

    found = _analysis("expert-review", ExpertReview(), "outcome", given, items)

    agreement = next(row for row in found.agreement if row.question == "outcome")
    # Pairs: (pass, pass), (borderline, fail). D_o = 1/2; of 4 ratings' 12 ordered pairs 2 are equal, D_e = 10/12.
    assert (agreement.n_items, agreement.n_ratings, agreement.pairwise.value) == (2, 4, 0.5)
    assert agreement.alpha.value == pytest.approx(1 - (1 / 2) / (10 / 12))
    assert agreement.unanimity.value == 0.5


def test_without_two_ratings_an_item_there_is_no_agreement_to_speak_of() -> None:
    found = _analysis("expert-review", ExpertReview(), "outcome", {1: ["pass"]}, _items((1, "conversation", "m", True)))

    assert found.agreement == ()
    assert (found.judge[0].kappa.value, found.judge[0].kappa.reason) == (None, "no item, or all are alike")
    assert (found.judge[0].specificity.value, found.judge[0].specificity.n) == (None, 0)


def test_a_verdict_most_raters_disagree_with_is_listed() -> None:
    items = _items(*((n, "judgment", "m", True) for n in (1, 2)))
    given: dict[int, list[object]] = {1: ["disagree"], 2: ["disagree", "agree"]}

    found = _analysis("judgment-review", JudgmentReview(), "verdict", given, items)

    assert [(row.item, row.why) for row in found.disagreements] == [(1, "the judge differs"), (2, "raters differ")]
    assert found.choices[0].counts == {"agree": 1, "disagree": 2, "unsure": 0}


def test_marks_next_to_each_other_are_no_disagreement() -> None:
    items = _items((1, "scenario", "m", None), (2, "scenario", "m", None))

    found = _analysis("scenario-review", ScenarioReview(), "quality", {1: [3, 4], 2: [1, 3]}, items)

    assert [row.item for row in found.disagreements] == [2]


def test_no_ratings_give_an_empty_analysis() -> None:
    found = _analysis("expert-review", ExpertReview(), "outcome", {}, _items((1, "conversation", "m", True)))

    assert (found.n_items, found.n_ratings, found.scales, found.judge, found.times) == (1, 0, (), (), ())


def test_strange_items_and_machine_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="a rating names item 9"):
        _analysis("expert-review", ExpertReview(), "outcome", {9: ["pass"]}, _items((1, "conversation", "m", True)))
    with pytest.raises(ValueError, match="a judge-repeatability has no ratings"):
        _analysis("judge-repeatability", JudgeRepeatability(), "x", {}, _items((1, "conversation", "m", True)))
