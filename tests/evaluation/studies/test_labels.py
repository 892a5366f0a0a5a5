"""Experts' labels come from adjudication, else from strict majorities, and correct the judge's rates."""

import pandas as pd
import pytest

from evaluation.statistics.judge_error import prediction_powered_rate
from evaluation.studies.labels import corrected_rates, expert_labels

FACTS = {"unit": "conversation", "benchmark": "b", "profile": "adult", "scenario": "s", "judged_passed": True}


def _items() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {**FACTS, "item": n, "metric": f"m{n % 2}", "target": "t", "conversation": f"c{n}", "polarity": polarity}
            for n, polarity in enumerate(["positive", "negative", "positive", "negative", "positive"], start=1)
        ]
    )


def _ratings(given: dict[int, list[str]]) -> pd.DataFrame:
    rows = [(item, f"r{n}", "outcome", value) for item, values in given.items() for n, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["item", "rater", "question", "value"])


def test_labels_are_majorities_unless_something_was_settled() -> None:
    given = {1: ["pass"], 2: ["fail", "fail", "borderline"], 3: ["pass", "fail"], 4: ["pass"], 5: ["pass"]}

    found = expert_labels(_ratings(given), _items(), {3: "absent", 4: "absent", 5: "contested"})

    assert list(found[["item", "passed", "source"]].itertuples(index=False, name=None)) == [
        (1, True, "majority"),
        (2, False, "majority"),
        (3, False, "adjudicated"),
        (4, True, "adjudicated"),
    ]


def test_corrected_rates_are_those_of_the_labelled_and_the_other_conversations() -> None:
    verdicts = pd.DataFrame(
        [
            {
                "conversation": f"c{n}",
                "metric": f"m{n % 4}",
                "polarity": "positive",
                "target": f"t{n % 2}",
                "passed": n % 3 > 0,
            }
            for n in range(40)
        ]
    )
    labels = verdicts[verdicts.index < 12].assign(passed=[n % 4 > 0 for n in range(12)])

    found = corrected_rates(labels, verdicts)

    expected = prediction_powered_rate(
        [n % 4 > 0 for n in range(12)],
        [n % 3 > 0 for n in range(12)],
        [n % 3 > 0 for n in range(12, 40)],
        clusters=[f"m{n % 4}" for n in range(12)],
    )
    assert [(row.target, row.polarity, row.n_metrics_labelled) for row in found] == [
        (None, "positive", 4),
        ("t0", "positive", 2),
        ("t1", "positive", 2),
    ]
    assert found[0].rate == expected
    assert (found[0].rate.n_labelled, found[0].rate.n_judged) == (12, 40)


def test_without_labels_there_is_nothing_to_correct() -> None:
    verdicts = pd.DataFrame(
        [{"conversation": "c", "metric": "m", "polarity": "positive", "target": "t", "passed": True}]
    )

    assert corrected_rates(expert_labels(_ratings({}), _items()), verdicts) == []


@pytest.mark.parametrize("settled", ["present", "absent"])
def test_what_was_settled_passes_by_polarity(settled: str) -> None:
    found = expert_labels(_ratings({}), _items(), {1: settled, 2: settled})

    assert list(found["passed"]) == [settled == "present", settled == "absent"]
