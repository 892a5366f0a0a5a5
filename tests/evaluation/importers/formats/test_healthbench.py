"""HealthBench: polarity by the sign of points, weights, justifications, criteria that repeat, the canary."""

import json

import pytest

from evaluation.importers.formats import draft_flags, healthbench
from evaluation.importers.formats.draft_keys import key_of_words
from evaluation.importers.formats.draft_types import Origin
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor, Remark

ASKS = {"criterion": "Asks about the cough.", "points": 7, "tags": ["level:example", "axis:completeness"]}
SELLS = {
    "criterion": "Recommends a tea. (Justification: Tea (any) does not help.)",
    "points": -5,
    "tags": ["level:example", "axis:accuracy"],
}


def example(*rubrics, **changed):
    return {
        "prompt_id": "p-1",
        "prompt": [{"role": "user", "content": "I cough"}],
        "rubrics": rubrics or [ASKS, SELLS],
        "example_tags": ["theme:hedging"],
        "ideal_completions_data": None,
        "canary": "healthbench:made-up",
        **changed,
    }


def read(tmp_path, *examples):
    file = tmp_path / "h.jsonl"
    file.write_text("".join(json.dumps(value) + "\n" for value in examples))
    return healthbench.read(file)


def problem(tmp_path, *examples):
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, *examples)
    return caught.value.line, caught.value.message


def test_trap_11_sign_of_the_points_gives_the_polarity_and_the_words_stay(tmp_path):
    asks, sells = read(tmp_path, example()).benchmark.metrics

    assert (asks.definition, asks.proposal.polarity, asks.weight) == ("Asks about the cough.", "positive", 7.0)
    assert asks.proposal.reason == "worth +7 points, and worded as a behaviour"
    assert (sells.definition, sells.proposal.polarity, sells.weight) == ("Recommends a tea.", "negative", 5.0)
    assert sells.proposal.reason == "worth -5 points, and worded as a behaviour"


def test_trap_11_negative_points_for_negative_wording_are_flagged_and_not_turned(tmp_path):
    (metric,) = read(tmp_path, example({**ASKS, "criterion": "Does not ask.", "points": -3})).benchmark.metrics

    assert (metric.definition, metric.proposal.polarity) == ("Does not ask.", "negative")
    assert "double negative ('Does not'): check what the source means" in metric.flags


def test_justification_becomes_the_clause_and_the_origin_keeps_all(tmp_path):
    _asks, sells = read(tmp_path, example()).benchmark.metrics

    assert sells.interpretive_clause == "Tea (any) does not help."
    assert sells.origin == Origin(str(SELLS["criterion"]), "line 1")
    assert draft_flags.CUT_OUT in sells.flags


def test_trap_14_points_axis_and_theme_are_kept_as_labels(tmp_path):
    asks, _sells = read(tmp_path, example()).benchmark.metrics

    assert asks.labels == {"level": "example", "axis": "completeness", "theme": "hedging", "points": "+7"}


@pytest.mark.parametrize("points", [11, -11, 1.5, "5", True, None])
def test_trap_14_points_outside_the_scale_are_refused(tmp_path, points):
    line, message = problem(tmp_path, example(), example({**ASKS, "points": points}))

    assert (line, message.startswith("points must be")) == (2, True)


def test_trap_19_criterion_that_repeats_is_one_metric_of_all_its_examples(tmp_path):
    cluster = {"criterion": "Is safe.", "points": 5, "tags": ["level:cluster", "cluster:safety"]}

    found = read(tmp_path, example(cluster), example(cluster, ASKS, prompt_id="p-2"))

    safe, asks = found.benchmark.metrics
    assert (safe.key, safe.labels["occurrences"], safe.labels["also at"]) == (key_of_words("Is safe."), "2", "line 2")
    assert [draft.metric_keys for draft in found.benchmark.scenarios] == [(safe.key,), (safe.key, asks.key)]
    assert "instructs a judge about the whole reply: write the one behaviour that counts" in safe.flags


def test_trap_26_canary_must_be_kept_and_its_absence_is_told(tmp_path):
    assert read(tmp_path, example(), example(prompt_id="p-2")).benchmark.must_keep == ("healthbench:made-up",)
    found = read(tmp_path, example(canary=None))
    assert found.benchmark.must_keep == ()
    assert found.flags[-1].text.startswith("holds no canary")


def test_conversation_gives_an_anchor_for_each_user_message(tmp_path):
    prompt = [
        {"role": "system", "content": "Be kind"},
        {"role": "user", "content": "I cough"},
        {"role": "assistant", "content": "Since when?"},
        {"role": "user", "content": "Monday"},
    ]

    (draft,) = read(tmp_path, example(prompt=prompt)).benchmark.scenarios

    assert draft.key == "p-1"
    assert draft.anchors == (Anchor(1, "Say: I cough"), Anchor(2, "Say: Monday"))
    assert (draft.turns, draft.target_system_prompt) == (2, "Be kind")
    assert draft.context == "Fixed reply after user message 1: Since when?\n\nTags: theme:hedging"
    assert draft.flags == (
        draft_flags.NO_PERSONA,
        draft_flags.NO_GOAL,
        draft_flags.NO_HIDDEN_GOAL,
        draft_flags.NO_AGE,
        draft_flags.FIXED_REPLIES,
    )


def test_ideal_answer_is_an_example_of_the_right_side(tmp_path):
    found = read(tmp_path, example(ideal_completions_data={"ideal_completion": "How long?"}))

    asks, sells = found.benchmark.metrics
    assert (asks.examples_present, asks.examples_absent) == (("How long?",), ())
    assert (sells.examples_present, sells.examples_absent) == ((), ("How long?",))
    assert found.benchmark.scenarios[0].context == "Ideal answer: How long?\n\nTags: theme:hedging"


def test_one_example_over_several_lines_is_read_as_well(tmp_path):
    file = tmp_path / "one.json"
    file.write_text(json.dumps(example(), indent=2))

    assert healthbench.recognises(file)
    assert len(healthbench.read(file).benchmark.metrics) == 2


def test_example_that_stands_twice_is_skipped(tmp_path):
    found = read(tmp_path, example(), example())

    assert len(found.benchmark.scenarios) == 1
    assert found.skipped == (Remark("line 2", "the example p-1 stands here again with the same criteria"),)


def test_example_that_stands_again_with_other_criteria_is_one_scenario_of_all(tmp_path):
    found = read(tmp_path, example(ASKS), example(SELLS))

    (draft,) = found.benchmark.scenarios
    assert draft.metric_keys == tuple(metric.key for metric in found.benchmark.metrics)
    assert found.flags[-1] == Remark("line 2", "the example p-1 stands here again with other criteria: they are joined")


def test_reading_again_changes_nothing_and_an_edit_changes_just_its_draft(tmp_path):
    before, again = read(tmp_path, example()), read(tmp_path, example())
    after = read(tmp_path, example(ASKS, {**SELLS, "criterion": "Recommends honey."}))

    assert again == before
    assert after.benchmark.metrics[0] == before.benchmark.metrics[0]
    assert after.benchmark.metrics[1].key == key_of_words("Recommends honey.", "unwanted")


def test_trap_23_markup_and_slots_stay_as_they_are(tmp_path):
    words = "Says {response} and <b>{{x}}</b> ${HOME}"

    (metric,) = read(tmp_path, example({**ASKS, "criterion": words})).benchmark.metrics

    assert metric.definition == words


def test_blanks_without_end_are_read_in_time(tmp_path):
    words = "(Justification: x" + " " * 200_000 + "y"

    (metric,) = read(tmp_path, example({**ASKS, "criterion": words})).benchmark.metrics

    assert metric.interpretive_clause is None


def test_criterion_of_no_points_is_left_out_and_counted_with_its_place(tmp_path):
    found = read(tmp_path, example(ASKS, {**SELLS, "points": 0}))

    assert [metric.weight for metric in found.benchmark.metrics] == [7.0]
    assert [(one.place, one.text) for one in found.skipped] == [
        ("line 1", "a criterion of example p-1 has 0 points, so it says neither good nor bad")
    ]
