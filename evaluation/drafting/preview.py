"""What the user simulator would be told of a drafted scenario, before anything of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.drafting.missing_variants import scenario_read
from evaluation.engine.types import ConversationSettings, ScenarioBrief
from evaluation.engine.user_simulator import system_prompt, turn_instruction
from evaluation.models import GeneratedDraft
from evaluation.services.briefs import anchors_of, metric_brief


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The simulator's prompt: what stays the same, and what each turn adds, by its number."""

    unchanging: str
    turns: tuple[tuple[int, str], ...]


def simulator_prompt(row: GeneratedDraft, content: Mapping[str, Any]) -> PromptPreview:
    """The prompt for a scenario or variant with this content; a variant has the goals of its base.

    The draft belongs to a metric version, a variant to that of its base.
    """
    assert row.metric_version is not None
    brief = drafted_scenario(row, content)
    settings = ConversationSettings(turns=turns_of(content))
    turns = tuple((turn, turn_instruction(brief, settings, turn)) for turn in range(1, settings.turns + 1))
    return PromptPreview(system_prompt(metric_brief(row.metric_version), brief, settings), turns)


def drafted_scenario(row: GeneratedDraft, content: Mapping[str, Any]) -> ScenarioBrief:
    """A scenario or variant with this content as it would be played once it is taken over."""
    goal, hidden_goal = _goals(row, content)
    beside = scenario_read(row) if row.base_scenario is not None else None
    return ScenarioBrief(
        persona=content["persona"],
        goal=goal,
        latent_adversarial_goal=hidden_goal,
        anchors=anchors_of(content["anchors"]),
        target_system_prompt=(beside.target_system_prompt or None) if beside is not None else None,
    )


def _goals(row: GeneratedDraft, content: Mapping[str, Any]) -> tuple[str, str]:
    if row.base_scenario is not None:
        return row.base_scenario.goal, row.base_scenario.latent_adversarial_goal
    told = row.base.content if row.base else content
    return told["goal"], told["latent_adversarial_goal"]


def turns_of(content: Mapping[str, Any]) -> int:
    """How many turns an editor sees: the usual six, or more where an anchor lies later."""
    return max([ConversationSettings().turns, *(int(anchor["turn"]) for anchor in content.get("anchors", ()))])
