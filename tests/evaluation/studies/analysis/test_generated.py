"""The analysis of generated ratings equals the same numbers computed in another way."""

import json
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evaluation.studies.analysis import Analysis, analyse
from evaluation.studies.designs import (
    Design,
    ExpertReview,
    JudgmentReview,
    ScenarioReview,
    SimulationReview,
    SimulatorSelection,
)
from tests.bench.studies import differences, numbers_of
from tests.evaluation.studies.frames import candidates
from tests.evaluation.studies.generated import study

Reviewed = tuple[pd.DataFrame, pd.DataFrame, Analysis, float]

# 18 metrics by 19 raters, 4 of them shared: the paper's 297 ratings and 33 metric forms.
DESIGN = ExpertReview(n_benchmarks=11, overlap=(5, 5, 5, 4))


@pytest.fixture(scope="module")
def reviewed() -> Reviewed:
    ratings, items = study("expert-review", DESIGN, candidates(benchmarks=12, metrics=4, targets=4))
    began = time.perf_counter()
    found = analyse("expert-review", DESIGN, ratings, items)
    return ratings, items, found, time.perf_counter() - began


def _export(kind: str, ratings: pd.DataFrame, items: pd.DataFrame, found: Analysis) -> dict[str, Any]:
    """The study as its page exports it, through JSON."""
    of_rater = ratings.groupby(["item", "rater"])
    export = {
        "kind": kind,
        "items": items.astype(object).where(items.notna(), None).to_dict("records"),
        "ratings": [
            {"item": item, "rater": rater, "answers": dict(zip(rows["question"], rows["value"], strict=True))}
            for (item, rater), rows in of_rater
        ],
        "analysis": found.as_data(),
    }
    return dict(json.loads(json.dumps(export, allow_nan=False)))


def test_300_ratings_by_19_raters_are_analysed_in_seconds(reviewed: Reviewed) -> None:
    ratings, items, found, seconds = reviewed
    export = _export("expert-review", ratings, items, found)

    assert (found.n_ratings, found.n_raters) == (330, 19)
    assert seconds < 20
    assert differences(export) == []
    assert len(numbers_of(export)) > 1_900


@pytest.mark.parametrize(
    ("kind", "design"),
    [
        ("scenario-review", ScenarioReview(n_metrics=12, overlap=(3, 3, 2))),
        ("simulation-review", SimulationReview(n_conversations=12, raters_per_item=2)),
        ("judgment-review", JudgmentReview(n_judgments=12, raters_per_item=3)),
        ("simulator-selection", SimulatorSelection(n_scenarios=4, n_simulators=3)),
    ],
)
def test_every_number_of_the_other_kinds_is_computed_alike(kind: str, design: Design) -> None:
    ratings, items = study(kind, design, candidates(benchmarks=4, metrics=4, bases=1, targets=3))

    export = _export(kind, ratings, items, analyse(kind, design, ratings, items))

    assert differences(export) == []
    assert len(numbers_of(export)) > 30


def test_the_other_computation_sees_a_wrong_number(reviewed: Reviewed) -> None:
    ratings, items, found, _ = reviewed
    export = _export("expert-review", ratings, items, found)

    export["analysis"]["judge"][0]["kappa"]["value"] += 0.001

    (wrong,) = differences(export)
    assert wrong.startswith("judge / outcome / all / kappa: ")


def test_the_analysis_does_not_depend_on_the_order_of_rows(reviewed: Reviewed) -> None:
    ratings, items, found, _ = reviewed
    chosen = ratings[ratings["question"].isin(["outcome", "relevance"])]

    turned = analyse("expert-review", DESIGN, chosen.sample(frac=1, random_state=1), items[::-1])

    for name in ("scales", "judge", "agreement"):
        same = [row for row in getattr(found, name) if getattr(row, "question", "outcome") in ("outcome", "relevance")]
        assert list(getattr(turned, name)) == same


def test_an_interval_covers_what_many_draws_of_metrics_give(reviewed: Reviewed) -> None:
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
