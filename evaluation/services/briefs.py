"""Metrics and scenarios in the words of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from evaluation.engine.types import Anchor, ConversationSettings, MetricBrief, Polarity, ScenarioBrief
from evaluation.models import MetricVersion, Scenario
from evaluation.plans import turn_limit


def metric_brief(version: MetricVersion) -> MetricBrief:
    """A runnable metric version; its polarity is known (a constraint of the database)."""
    return MetricBrief(
        name=version.name,
        polarity=cast(Polarity, version.polarity),
        definition=version.definition,
        judge_question=version.judge_question,
        interpretive_clause=version.interpretive_clause,
    )


def scenario_brief(scenario: Scenario) -> ScenarioBrief:
    """A scenario with its profile's persona and anchors; the goals are its base's."""
    return ScenarioBrief(
        persona=scenario.persona or scenario.base.persona,
        goal=scenario.base.goal,
        latent_adversarial_goal=scenario.base.latent_adversarial_goal,
        anchors=anchors_of(scenario.anchors),
        target_system_prompt=scenario.target_system_prompt or None,
    )


def anchors_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Anchor, ...]:
    """Anchors as they are kept in JSON."""
    return tuple(Anchor(int(row["turn"]), str(row["objective"])) for row in rows)


def conversation_settings(spec: Mapping[str, Any], scenario_turns: int | None) -> ConversationSettings:
    """What a frozen plan decides about a conversation of one scenario."""
    return ConversationSettings(
        turns=turn_limit(spec["turns"], scenario_turns),
        anchors=spec["anchors"],
        adversarial_guidance=spec["adversarial_guidance"],
        typing_edits=spec["typing_edits"],
        seed=spec["seed"],
        allow_cut_replies=spec["allow_cut_replies"],
        structured_simulator=spec["structured_simulator"],
        realism_check=spec.get("realism_check", False),
    )
