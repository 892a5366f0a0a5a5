"""Drafts a base scenario for one profile: persona and anchors are adapted, both goals are copied by code."""

from __future__ import annotations

from typing import Any

from evaluation.engine.types import Anchor, Message, ModelCall
from evaluation.generation.asking import ask
from evaluation.generation.base_scenarios import LONGEST_OBJECTIVE, LONGEST_PERSONA
from evaluation.generation.prompts_of_drafting import listed, question
from evaluation.generation.reply_fields import Schema, list_schema, object_schema, text_field, text_schema, texts_field
from evaluation.generation.types import BaseDraft, Drafted, ProfileBrief, VariantDraft

PROMPT = "variant"


async def draft_variant(base: BaseDraft, profile: ProfileBrief, model: ModelCall) -> Drafted[VariantDraft]:
    """The base scenario for a profile, or a refusal. The anchors keep their number and their turns."""
    messages = variant_messages(base, profile)
    return await ask(messages, _schema(len(base.anchors)), lambda fields: (read_variant(fields, base, profile),), model)


def variant_messages(base: BaseDraft, profile: ProfileBrief) -> list[Message]:
    """All that the drafter reads: the base scenario and the profile."""
    anchors = listed(f"(turn {anchor.turn}) {anchor.objective}" for anchor in base.anchors)
    about = "\n".join([profile.name, *(f"{name}: {value}" for name, value in profile.attributes.items())])
    data = {
        "Profile": about,
        "Persona": base.persona,
        "Goal": base.goal,
        "Hidden goal": base.latent_adversarial_goal,
        "Objectives": anchors,
    }
    return question(PROMPT, data, count=len(base.anchors))


def read_variant(fields: dict[str, Any], base: BaseDraft, profile: ProfileBrief) -> VariantDraft:
    """The variant of an answer; whatever it says of goals or turns is left aside. Raises ReplyError."""
    n_anchors = len(base.anchors)
    objectives = texts_field(fields, "anchors", n_anchors, n_anchors, LONGEST_OBJECTIVE)
    return VariantDraft(
        profile_slug=profile.slug,
        persona=text_field(fields, "persona", LONGEST_PERSONA),
        anchors=tuple(Anchor(anchor.turn, text) for anchor, text in zip(base.anchors, objectives, strict=True)),
        goal=base.goal,
        latent_adversarial_goal=base.latent_adversarial_goal,
    )


def _schema(n_anchors: int) -> Schema:
    anchors = list_schema(text_schema(LONGEST_OBJECTIVE), n_anchors, n_anchors)
    return object_schema({"persona": text_schema(LONGEST_PERSONA), "anchors": anchors}, "variant")
