"""The analyses of studies by machine equal the same numbers computed in another way."""

import json
import random
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from evaluation.statistics.agreement import cohens_kappa, fleiss_kappa, pairwise_agreement, unanimity
from evaluation.studies.designs import (
    JudgeComparison,
    JudgeRepeatability,
    RepeatSimulations,
    ScenarioReview,
    SimulatorAblation,
)
from evaluation.studies.machine import COVERAGE_COLUMNS, MachineAnalysis, analyse_machine
from evaluation.studies.machine.conditions import conditions_of

ABLATION = SimulatorAblation(n_metrics=6, n_scenarios=12, n_targets=2)


def _judgments(
    conditions: tuple[str, ...] = ("as-set",), judges: tuple[str, ...] = ("j",), repeats: int = 3, seed: int = 1
) -> pd.DataFrame:
    """6 metrics, 2 scenarios of each, 2 targets; a hidden tendency of each context; some are unjudged."""
    chance = random.Random(seed)
    rows = []
    for metric in range(6):
        polarity = ("positive", "negative")[metric % 2]
        for scenario in range(2):
            for target in ("t0", "t1"):
                tendency = chance.random()
                for condition in conditions:
                    for repeat in range(repeats):
                        name = f"m{metric}-s{scenario}-{target}-{condition}-{repeat}"
                        for judge in judges:
                            present = None if chance.random() < 0.05 else chance.random() < tendency
                            passed = None if present is None else present == (polarity == "positive")
                            rows.append(
                                {
                                    "condition": condition,
                                    "benchmark": "b",
                                    "metric": f"m{metric}",
                                    "polarity": polarity,
                                    "profile": "adult",
                                    "scenario": f"m{metric}-s{scenario}",
                                    "target": target,
                                    "repeat": repeat,
                                    "conversation": name,
                                    "judge": judge,
                                    "present": present,
                                    "passed": passed,
                                }
                            )
    return pd.DataFrame(rows)


def _coverage(judgments: pd.DataFrame, seed: int = 2) -> pd.DataFrame:
    chance = random.Random(seed)
    rows = [
        (*(row[name] for name in COVERAGE_COLUMNS[:6]), anchor, chance.random() < 0.7)
        for row in judgments.to_dict("records")
        for anchor in range(3)
    ]
    return pd.DataFrame(rows, columns=list(COVERAGE_COLUMNS))


@pytest.fixture(scope="module")
def ablated() -> tuple[pd.DataFrame, pd.DataFrame, MachineAnalysis]:
    judgments = _judgments(tuple(condition.slug for condition in conditions_of(ABLATION)))
    coverage = _coverage(judgments)
    return judgments, coverage, analyse_machine("simulator-ablation", ABLATION, judgments, coverage)


def test_conditions_of_the_ablation_turn_one_part_off_each() -> None:
    found = conditions_of(ABLATION)

    whole = {"samples": 3, "anchors": True, "adversarial_guidance": True, "typing_edits": True}
    assert [(condition.slug, condition.changes) for condition in found] == [
        ("as-set", whole),
        ("without-anchors", {**whole, "anchors": False}),
        ("without-adversarial-guidance", {**whole, "adversarial_guidance": False}),
        ("without-typing-edits", {**whole, "typing_edits": False}),
    ]
    assert [condition.held_to for condition in found] == [None, None, None, "as-set"]


def test_conditions_of_the_other_kinds() -> None:
    assert [dict(condition.changes) for condition in conditions_of(JudgeRepeatability())] == [{"judge_repeats": 3}]
    assert [condition.changes["judge"] for condition in conditions_of(JudgeComparison(judges=("a", "b")))] == ["a", "b"]
    assert [condition.simulates for condition in conditions_of(RepeatSimulations())] == [True]
    with pytest.raises(ValueError, match="a ScenarioReview is done by people"):
        conditions_of(ScenarioReview())


def test_measures_of_the_ablation_are_shares_of_rows(
    ablated: tuple[pd.DataFrame, pd.DataFrame, MachineAnalysis],
) -> None:
    judgments, coverage, found = ablated

    for row in found.conditions:
        kept = [
            table[
                (table["condition"] == row.condition) & ((table["polarity"] == row.polarity) | (row.polarity is None))
            ]
            for table in (judgments, coverage)
        ]
        if row.measure == "failures":
            passed = [value for value in kept[0]["passed"] if value is not None]
            expected = passed.count(False) / len(passed)
            assert row.value.n == len(passed)
        elif row.measure == "coverage":
            expected = sum(kept[1]["covered"]) / len(kept[1])
        else:
            expected = np.mean(
                [
                    np.mean([a != b for a, b in combinations(of["covered"], 2)])
                    for _, of in kept[1].groupby(["scenario", "target", "anchor"])
                ]
            )
        assert row.value.value == pytest.approx(expected)
    assert len(found.conditions) == 4 * 3 * 3


def test_differences_of_the_ablation_are_paired_and_draw_metrics(
    ablated: tuple[pd.DataFrame, pd.DataFrame, MachineAnalysis],
) -> None:
    judgments, _, found = ablated
    row = next(
        row
        for row in found.differences
        if (row.measure, row.condition, row.polarity) == ("failures", "without-anchors", None)
    )
    judged = judgments[judgments["passed"].notna()]
    failed = {
        (condition, metric): 1.0 - of["passed"].astype(float).to_numpy()
        for (condition, metric), of in judged.groupby(["condition", "metric"])
    }

    def difference(metrics: list[str]) -> float:
        one, other = (
            np.concatenate([failed[condition, metric] for metric in metrics]).mean()
            for condition in ("without-anchors", "as-set")
        )
        return float(one - other)

    names = sorted(set(judged["metric"]))
    chance = np.random.default_rng(4)
    drawn = [difference(list(chance.choice(names, len(names)))) for _ in range(4000)]
    assert row.difference.value == pytest.approx(difference(names))
    assert (row.difference.low, row.difference.high) == pytest.approx(
        tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.03
    )
    assert (row.n_contexts, row.n_metrics, row.difference.method) == (24, 6, "metrics")
    assert len(found.differences) == 3 * 3 * 3


def test_an_ablation_without_audits_says_so_and_still_counts_failures() -> None:
    found = analyse_machine("simulator-ablation", ABLATION, _judgments())

    by_measure = {row.measure: row.value for row in found.conditions if row.condition == "as-set"}
    assert (by_measure["coverage"].value, by_measure["coverage"].reason) == (None, "nothing was audited or judged")
    assert by_measure["failures"].value is not None
    assert found.differences[0].difference.reason == "no context has both"


def test_repeatability_equals_the_coefficients_of_a_table() -> None:
    judgments = _judgments(repeats=3)
    conversation = judgments["scenario"] + judgments["target"]
    judgments = judgments.assign(conversation=conversation)

    found = analyse_machine("judge-repeatability", JudgeRepeatability(), judgments)

    table = judgments.pivot(index="conversation", columns="repeat", values="present")
    whole = found.repeatability[0]
    assert whole.polarity is None
    assert whole.unanimity.value == pytest.approx(unanimity(table).value)
    assert whole.pairwise.value == pytest.approx(pairwise_agreement(table).value)
    assert whole.kappa.value == pytest.approx(fleiss_kappa(table).value)
    assert (found.n_conversations, found.n_judgments + found.n_unjudged) == (24, 72)


def test_repeated_simulations_change_as_often_as_they_are_not_unanimous() -> None:
    judgments = _judgments(repeats=3)

    found = analyse_machine("repeat-simulations", RepeatSimulations(), judgments)

    context = judgments["scenario"] + judgments["target"]
    table = judgments.assign(context=context).pivot(index="context", columns="repeat", values="present")
    whole = found.changes[0]
    assert (whole.target, whole.polarity, whole.repeats) == (None, None, 3)
    assert whole.changed.value == pytest.approx(1 - (unanimity(table).value or 0))
    assert whole.differ.value == pytest.approx(1 - (pairwise_agreement(table).value or 0))
    assert whole.changed.low is not None
    assert whole.changed.high is not None
    assert whole.changed.low < (whole.changed.value or 0) < whole.changed.high
    assert {row.target for row in found.changes} == {None, "t0", "t1"}


def test_judges_are_compared_on_the_conversations_that_both_have_judged() -> None:
    judgments = _judgments(judges=("a", "b", "c"), repeats=2)

    found = analyse_machine("judge-comparison", JudgeComparison(judges=("a", "b", "c")), judgments)

    positive = judgments[judgments["polarity"] == "positive"]
    table = positive.pivot(index="conversation", columns="judge", values="present")
    kappa = next(row for row in found.agreement if (row.judge_a, row.judge_b, row.polarity) == ("a", "b", "positive"))
    assert kappa.coefficient == pytest.approx(cohens_kappa(list(table["a"]), list(table["b"])).value)
    both = table[table["a"].notna() & table["b"].notna()]
    change = next(
        row.change
        for row in found.rates
        if (row.target, row.change.condition, row.change.polarity) == (None, "b", "positive")
    )
    assert change.value.value == pytest.approx(both["b"].astype(float).mean())
    assert change.difference.value == pytest.approx(both["b"].astype(float).mean() - both["a"].astype(float).mean())
    assert [(row.judge, row.polarity, row.n_targets, row.n_pairs) for row in found.orders] == [
        (judge, polarity, 2, 1) for polarity in ("positive", "negative") for judge in ("b", "c")
    ]
    assert found.orders[0].spearman.reason == "fewer than 3 pairs"


def test_every_analysis_goes_to_json(ablated: tuple[pd.DataFrame, pd.DataFrame, MachineAnalysis]) -> None:
    *_, found = ablated

    assert json.loads(json.dumps(found.as_data(), allow_nan=False))["kind"] == "simulator-ablation"
    with pytest.raises(ValueError, match="a scenario-review is done by people"):
        analyse_machine("scenario-review", ScenarioReview(), _judgments())
