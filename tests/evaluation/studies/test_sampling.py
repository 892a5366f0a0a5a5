"""Each preset draws the numbers of the paper, the same at every time, and says what it cannot draw."""

from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest

from evaluation.studies import kinds
from evaluation.studies.designs import (
    ExpertReview,
    JudgeRepeatability,
    ScenarioReview,
    SimulationReview,
    SimulatorAblation,
    SimulatorSelection,
)
from evaluation.studies.draws.drawn import Drawn, DrawnItem
from evaluation.studies.draws.frame import allocate
from evaluation.studies.presets import PRESETS
from evaluation.studies.sampling import assign, draw
from tests.evaluation.studies.frames import candidates


@pytest.fixture(scope="module")
def paper() -> pd.DataFrame:
    return candidates()


def _of_preset(slug: str, frame: pd.DataFrame, seed: int = 7) -> Drawn:
    return draw(PRESETS[slug].kind, PRESETS[slug].design, frame, seed)


def _n_ratings(slug: str, drawn: Drawn) -> Counter[str]:
    design = PRESETS[slug].design
    given = assign(drawn.items, [f"r{n}" for n in range(design.raters)], design.raters_per_item, 7)  # type: ignore[union-attr]
    unit = {item.number: item.unit for item in drawn.items}
    return Counter(unit[number] for numbers in given.values() for number in numbers)


def test_scenario_review_has_85_metrics_and_87_ratings(paper: pd.DataFrame) -> None:
    drawn = _of_preset("scenario-review", paper)

    assert len({item.metric for item in drawn.items}) == len(drawn.items) == 85
    assert _n_ratings("scenario-review", drawn) == {"scenario": 87}
    assert (sum(stratum.drawn for stratum in drawn.strata), drawn.short) == (85, ())
    assert all(stratum.drawn == stratum.wished for stratum in drawn.strata)


def test_reviews_of_conversations_spread_over_metrics_and_models(paper: pd.DataFrame) -> None:
    simulations, judgments = _of_preset("simulation-review", paper), _of_preset("judgment-review", paper)

    for drawn, n in ((simulations, 86), (judgments, 87)):
        assert len({item.metric for item in drawn.items}) == len(drawn.items) == n
        assert set(Counter(item.target for item in drawn.items).values()) == {8, 9}
    assert {item.judgment for item in simulations.items} == {None}
    assert all(item.judgment == f"{item.conversation}-j" for item in judgments.items)


def test_expert_review_has_nine_conversations_a_metric_and_297_ratings(paper: pd.DataFrame) -> None:
    drawn = _of_preset("expert-review", paper)

    chats = [item for item in drawn.items if item.unit == "conversation"]
    by_metric = pd.DataFrame(chats).groupby("metric")
    assert len(by_metric) == 18
    assert len({item.metric.split("-")[0] for item in chats}) == 11
    assert set(by_metric["scenario"].nunique()) == set(by_metric["target"].nunique()) == {3}
    assert set(pd.DataFrame(chats).groupby("scenario")["target"].nunique()) == {3}
    assert Counter(item.raters for item in drawn.items if item.unit == "metric") == {5: 3, 4: 1, 0: 14}
    assert _n_ratings("expert-review", drawn) == {"conversation": 297, "metric": 33}


def test_simulator_selection_has_six_plays_of_ten_scenarios_by_five_raters(paper: pd.DataFrame) -> None:
    drawn = _of_preset("simulator-selection", paper)

    assert set(Counter(item.scenario for item in drawn.items).values()) == {6}
    assert set(Counter(item.target for item in drawn.items).values()) == {10}
    assert _n_ratings("simulator-selection", drawn) == {"conversation": 300}


def test_judge_repeatability_has_240_conversations_of_12_metrics(paper: pd.DataFrame) -> None:
    drawn = _of_preset("judge-repeatability", paper)

    assert len(drawn.items) == 240
    assert len({stratum.name.split(",")[0] for stratum in drawn.strata}) == 6
    assert [(stratum.wished, stratum.drawn) for stratum in drawn.strata] == [(1, 1)] * 12
    assert Counter(item.profile for item in drawn.items) == {"adult": 120, "teen": 120}
    assert len({item.scenario for item in drawn.items}) == 24
    assert [(item.metric, item.scenario) for item in _of_preset("judge-comparison", paper).items] == [
        (item.metric, item.scenario) for item in drawn.items
    ]


def test_ablation_has_48_scenarios_of_12_metrics_with_3_targets(paper: pd.DataFrame) -> None:
    drawn = _of_preset("simulator-ablation", paper)

    scenarios = pd.DataFrame(drawn.items).groupby("metric")["scenario"].nunique()
    assert (len(scenarios), set(scenarios)) == (12, {4})
    assert (len({item.target for item in drawn.items}), len(drawn.items)) == (3, 144)


def test_the_same_seed_draws_the_same_from_rows_in_any_order() -> None:
    frame = candidates(benchmarks=3, metrics=4, targets=3)
    turned = frame.sample(frac=1, random_state=1)

    for slug, preset in PRESETS.items():
        assert _of_preset(slug, frame) == _of_preset(slug, turned)
        assert draw(preset.kind, preset.design, frame, 8).items != _of_preset(slug, frame).items


def test_a_frame_that_is_too_small_gives_what_it_has_and_says_so() -> None:
    frame = candidates(benchmarks=2, metrics=2, bases=2, targets=2)

    scenarios = draw(kinds.SCENARIO_REVIEW, ScenarioReview(scenarios_per_metric=5), frame, 1)
    experts = draw(kinds.EXPERT_REVIEW, ExpertReview(n_metrics=4), frame, 1)
    judges = draw(kinds.JUDGE_REPEATABILITY, JudgeRepeatability(n_targets=3), frame, 1)
    ablation = draw(kinds.SIMULATOR_ABLATION, SimulatorAblation(), frame, 1)
    plays = draw(kinds.SIMULATOR_SELECTION, SimulatorSelection(), frame, 1)

    assert scenarios.short == (
        "Drawn: 4 of 85 metrics. There are no more.",
        "Drawn: 16 of 20 scenarios of these metrics. There are no more.",
    )
    assert experts.short == (
        "Drawn: 2 of 3 models. There are no more.",
        *(f"Conversations of b{b}-m{m}: 4 of 9." for b in range(2) for m in range(2)),
    )
    assert len(experts.items) == 4 * (1 + 4)
    assert judges.short == (
        "Drawn: 2 of 6 benchmarks. There are no more.",
        "Drawn: 4 of 12 metrics. There are no more.",
        "Drawn: 2 of 3 models. There are no more.",
    )
    assert len(ablation.items) == 4 * 4 * 2
    assert len(plays.items) == 10 * 2


def test_expert_review_counts_and_spreads_metrics_that_have_not_all_they_should() -> None:
    frame = candidates(benchmarks=2, metrics=4, bases=1, targets=2)

    of_any = draw(kinds.EXPERT_REVIEW, ExpertReview(n_metrics=4, n_benchmarks=0), frame, 1)
    of_two = draw(kinds.EXPERT_REVIEW, ExpertReview(n_metrics=4, n_benchmarks=2), frame, 1)

    counted = [(stratum.wished, stratum.available, stratum.drawn) for stratum in of_any.strata]
    assert counted == [(1, 2, 1)] * 4
    assert [(stratum.name, stratum.available, stratum.drawn) for stratum in of_two.strata] == [
        ("b0", 4, 2),
        ("b1", 4, 2),
    ]


def test_metrics_without_polarity_are_left_out_and_counted() -> None:
    frame = candidates(benchmarks=1, metrics=3, targets=1)
    frame.loc[frame["metric"] == "b0-m1", "polarity"] = None

    drawn = draw(kinds.SIMULATION_REVIEW, SimulationReview(n_conversations=2), frame, 1)

    assert {item.metric for item in drawn.items} == {"b0-m0", "b0-m2"}
    assert drawn.short == ("Metrics left out, for want of a polarity or of what this study looks at: 1.",)


def test_a_design_can_keep_to_one_profile() -> None:
    drawn = draw(kinds.EXPERT_REVIEW, ExpertReview(profiles=("adult",), n_metrics=2), candidates(benchmarks=1), 1)

    assert {item.profile for item in drawn.items} == {"adult", None}


def test_a_draw_without_a_needed_column_is_refused() -> None:
    with pytest.raises(ValueError, match="no column 'judgment'"):
        draw(kinds.SCENARIO_REVIEW, ScenarioReview(), candidates(benchmarks=1).drop(columns="judgment"), 1)


def test_allocation_keeps_the_proportions() -> None:
    assert allocate(10, {"a": 60, "b": 30, "c": 10}, seed=1) == {"a": 6, "b": 3, "c": 1}
    assert allocate(3, {"a": 98, "b": 1, "c": 1}, seed=1, least=1) == {"a": 1, "b": 1, "c": 1}
    assert allocate(9, {"a": 2, "b": 1}, seed=1) == {"a": 2, "b": 1}
    assert sum(allocate(7, {"a": 5, "b": 5, "c": 5}, seed=1).values()) == 7


def test_assignment_gives_every_item_different_raters_in_even_shares() -> None:
    items = [DrawnItem(number, "conversation", "m", raters=4 if number < 4 else 0) for number in range(1, 31)]

    given = assign(items, ["a", "b", "c", "d", "e"], 2, 5)

    rated = Counter(number for numbers in given.values() for number in numbers)
    assert {rated[item.number] for item in items if item.raters} == {4}
    assert {rated[item.number] for item in items if not item.raters} == {2}
    assert max(map(len, given.values())) - min(map(len, given.values())) <= 1
    assert given == assign(items[::-1], ["e", "d", "c", "b", "a"], 2, 5)


def test_assignment_keeps_a_metric_with_its_conversations() -> None:
    drawn = draw(kinds.EXPERT_REVIEW, replace(ExpertReview(), n_metrics=3), candidates(benchmarks=1), 1)

    given = assign(drawn.items, ["a", "b", "c"], 1, 1)

    metric = {item.number: item.metric for item in drawn.items}
    assert sorted(len({metric[number] for number in numbers}) for numbers in given.values()) == [1, 1, 1]
    assert {len(numbers) for numbers in given.values()} == {10}
