"""The prompts of the simulated user: one unchanging prefix per conversation, one instruction per turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evaluation.engine.prompt_files import fill
from evaluation.engine.types import (
    Anchor,
    ConversationSettings,
    Exchange,
    Message,
    MetricBrief,
    ScenarioBrief,
)

REPLY_SCHEMA: dict[str, Any] = {
    "title": "user_message",
    "type": "object",
    "properties": {
        "thought": {"type": "string", "maxLength": 160},
        "message": {"type": "string", "maxLength": 280},
    },
    "required": ["thought", "message"],
    "additionalProperties": False,
}

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”\u2019)]*\s+(?=[A-Z\"'“(])|\n\s*\n")
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "Dr.", "Mr.", "Ms.", "Mrs.", "approx.", "incl.")


def simulator_messages(
    metric: MetricBrief,
    scenario: ScenarioBrief,
    settings: ConversationSettings,
    turns: Sequence[Exchange],
    *,
    again: bool = False,
    unnatural: str = "",
) -> list[Message]:
    """The request for the next user message after `turns` (ImpactBench paper, section 3.4.2).

    The simulated user speaks as `assistant`, the target's replies arrive as `user`. Everything but the
    instruction at the very end stays the same from turn to turn, so that prompt caches of providers work. `again` asks
    once more after an empty answer, `unnatural` after one that did not read like a person's.
    """
    messages = [
        Message("system", system_prompt(metric, scenario, settings)),
        Message("user", fill("user_simulator_opening").strip()),
    ]
    for turn in turns:
        messages.append(Message("assistant", turn.user_message))
        messages.append(Message("user", fill("user_simulator_reply", reply=turn.reply).strip()))
    instruction = turn_instruction(scenario, settings, len(turns) + 1)
    if unnatural:
        instruction = f"{instruction}\n{fill('optional/realism_again', why=unnatural).strip()}"
    if again:
        instruction = f"{instruction}\n{fill('user_simulator_again').strip()}"
    messages[-1] = Message("user", f"{messages[-1].content}\n\n{instruction}")
    return messages


def system_prompt(metric: MetricBrief, scenario: ScenarioBrief, settings: ConversationSettings) -> str:
    """The part that never changes within a conversation; the settings' switches remove their sections."""
    language = f"\nYou write in this language: {scenario.language}.\n" if scenario.language else ""
    return fill(
        "user_simulator",
        persona=scenario.persona.strip(),
        goal=scenario.goal.strip(),
        adversarial_guidance=_adversarial_guidance(metric, scenario) if settings.adversarial_guidance else "",
        anchors=_anchors(scenario) if settings.anchors else "",
        language=language,
        answer_format=fill(
            "user_simulator_answer_as_json" if settings.structured_simulator else "user_simulator_answer_as_text"
        ),
    ).strip()


def turn_instruction(scenario: ScenarioBrief, settings: ConversationSettings, turn: int) -> str:
    """What is asked at `turn`: the anchors in force, a look ahead to the next ones, a reminder of the form."""
    now = anchors_at(scenario, settings, turn)
    coming = anchors_after(scenario, settings, turn)
    return fill(
        "user_simulator_turn",
        turn=turn,
        turns=settings.turns,
        anchor_now=fill("user_simulator_anchor_now", objectives=_joined(now)) if now else "",
        anchor_next=(
            fill("user_simulator_anchor_next", next_turn=coming[0].turn, objectives=_joined(coming)) if coming else ""
        ),
        answer_reminder=fill(
            "user_simulator_remind_json" if settings.structured_simulator else "user_simulator_remind_text"
        ),
    ).strip()


def anchors_at(scenario: ScenarioBrief, settings: ConversationSettings, turn: int) -> tuple[Anchor, ...]:
    """The anchors in force at `turn`; none when the settings switch anchors off."""
    return tuple(anchor for anchor in scenario.anchors if settings.anchors and anchor.turn == turn)


def anchors_after(scenario: ScenarioBrief, settings: ConversationSettings, turn: int) -> tuple[Anchor, ...]:
    """The anchors of the nearest anchored turn after `turn` that lies within the turn limit."""
    later = [a.turn for a in scenario.anchors if settings.anchors and turn < a.turn <= settings.turns]
    return anchors_at(scenario, settings, min(later)) if later else ()


def opening_sentence(definition: str) -> str:
    """The first sentence of a definition, or all of it when it has only one."""
    text = definition.strip()
    for end in _SENTENCE_END.finditer(text):
        sentence = text[: end.end()].strip()
        if not sentence.endswith(_ABBREVIATIONS):
            return sentence
    return text


def failure_condition(metric: MetricBrief) -> str:
    """When the target fails: a positive metric by absence, a negative one by presence of the behaviour."""
    absent = metric.polarity == "positive"
    return fill("user_simulator_failure_if_absent" if absent else "user_simulator_failure_if_present").strip()


def _adversarial_guidance(metric: MetricBrief, scenario: ScenarioBrief) -> str:
    return fill(
        "user_simulator_adversarial_guidance",
        metric_name=metric.name.strip(),
        definition_opening=opening_sentence(metric.definition),
        failure_condition=failure_condition(metric),
        latent_adversarial_goal=scenario.latent_adversarial_goal.strip(),
    )


def _anchors(scenario: ScenarioBrief) -> str:
    if not scenario.anchors:
        return ""
    ordered = sorted(scenario.anchors, key=lambda anchor: anchor.turn)
    lines = "\n".join(f"- Turn {anchor.turn}: {anchor.objective.strip()}" for anchor in ordered)
    return fill("user_simulator_anchors", objectives=lines)


def _joined(anchors: Sequence[Anchor]) -> str:
    return " Also: ".join(anchor.objective.strip() for anchor in anchors)
