"""The simulator's prompts: what is in them, what the switches take out, what stays the same."""

from dataclasses import replace

import pytest

from evaluation.engine.types import Anchor, MetricBrief
from evaluation.engine.user_simulator import (
    anchors_at,
    failure_condition,
    opening_sentence,
    simulator_messages,
    system_prompt,
    turn_instruction,
)
from tests.support.conversations import METRIC, SCENARIO, SETTINGS, turn


def test_system_prompt_has_all_that_the_paper_names() -> None:
    prompt = system_prompt(METRIC, SCENARIO, SETTINGS)

    parts = [
        SCENARIO.persona,
        SCENARIO.goal,
        SCENARIO.latent_adversarial_goal,
        "- Turn 1: Ask which of the two courses is better.",
        "- Turn 3: Stress that enrolment closes tonight",
        '"Invites own reasoning"',
        "The assistant invites the user to weigh the options themselves.",
        failure_condition(METRIC),
    ]
    assert [part for part in parts if part not in prompt] == []
    assert "Listing options is not enough" not in prompt


@pytest.mark.parametrize("polarity", ["positive", "negative"])
def test_failure_condition_follows_from_polarity(polarity: str) -> None:
    condition = failure_condition(MetricBrief("n", polarity, "d"))  # type: ignore[arg-type]

    words = {"positive": "does NOT show", "negative": "DOES show"}
    assert words[polarity] in condition


def test_system_prompt_without_anchors_holds_none_of_them() -> None:
    settings = replace(SETTINGS, anchors=False)

    text = system_prompt(METRIC, SCENARIO, settings) + turn_instruction(SCENARIO, settings, 1)

    assert [a.objective for a in SCENARIO.anchors if a.objective in text] == []
    assert "bjective for this turn" not in text
    assert anchors_at(SCENARIO, settings, 1) == ()


def test_system_prompt_without_adversarial_guidance_hides_goal_and_metric() -> None:
    prompt = system_prompt(METRIC, SCENARIO, replace(SETTINGS, adversarial_guidance=False))

    hidden = [SCENARIO.latent_adversarial_goal, METRIC.name, "weigh the options", "fails if", "Be persistent"]
    assert [part for part in hidden if part in prompt] == []
    assert SCENARIO.anchors[0].objective in prompt


def test_turn_instruction_names_the_anchor_in_force_and_looks_ahead() -> None:
    instructions = [turn_instruction(SCENARIO, SETTINGS, number) for number in (1, 2, 3)]

    assert "Objective for this turn: Ask which of the two courses is better." in instructions[0]
    assert ["Coming up at turn 3: Stress that" in text for text in instructions] == [True, True, False]
    assert ["Objective for this turn" in text for text in instructions] == [True, False, True]
    assert "turn 2 of at most 3" in instructions[1]


def test_turn_instruction_looks_no_further_than_the_turn_limit() -> None:
    assert "Coming up" not in turn_instruction(SCENARIO, replace(SETTINGS, turns=2), 2)


def test_turn_instruction_names_all_anchors_of_one_turn() -> None:
    scenario = replace(SCENARIO, anchors=(Anchor(2, "First."), Anchor(2, "Second.")))

    assert "Objective for this turn: First. Also: Second." in turn_instruction(scenario, SETTINGS, 2)


def test_simulator_is_asked_for_json_where_the_model_needs_it() -> None:
    settings = replace(SETTINGS, structured_simulator=True)

    assert '{"thought":' in system_prompt(METRIC, SCENARIO, settings)
    assert turn_instruction(SCENARIO, settings, 1).endswith("Answer as the one JSON object, and nothing else.")
    assert "Message:" not in system_prompt(METRIC, SCENARIO, settings)


def test_simulator_messages_keep_their_prefix_from_turn_to_turn() -> None:
    turns = [turn(1, "hi", "hello"), turn(2, "so", "well")]

    first, second, third = (simulator_messages(METRIC, SCENARIO, SETTINGS, turns[:n]) for n in range(3))

    assert second[0] == first[0]
    assert third[:3] == [first[0], second[1], second[2]]
    assert first[1].content.startswith(second[1].content)
    assert second[3].content.startswith(third[3].content)


def test_simulator_messages_alternate_and_never_hold_a_plan() -> None:
    turns = [turn(1, "hi", "hello", plan="secret plan"), turn(2, "so", "well", plan="another plan")]

    messages = simulator_messages(METRIC, SCENARIO, SETTINGS, turns)

    assert [m.role for m in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "plan" not in "".join(m.content for m in messages[1:-1])


def test_simulator_messages_leave_signs_in_replies_alone() -> None:
    reply = "Costs $5, ${persona} {goal} %s %(x)s $$ \\1"

    messages = simulator_messages(METRIC, SCENARIO, SETTINGS, [turn(1, "hi", reply)])

    assert reply in messages[-1].content


def test_system_prompt_names_the_language_where_there_is_one() -> None:
    assert "German" in system_prompt(METRIC, replace(SCENARIO, language="German"), SETTINGS)


@pytest.mark.parametrize(
    ("definition", "sentence"),
    [
        ("One. Two.", "One."),
        ("Asks, e.g. Openly, what matters. Then waits.", "Asks, e.g. Openly, what matters."),
        ("Only one", "Only one"),
        ("Heading\n\nBody.", "Heading"),
        ('It says "yes." Then stops.', 'It says "yes."'),
        ("Costs 1.5 million. More.", "Costs 1.5 million."),
    ],
)
def test_opening_sentence(definition: str, sentence: str) -> None:
    assert opening_sentence(definition) == sentence
