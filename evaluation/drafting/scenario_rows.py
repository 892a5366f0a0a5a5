"""Drafted variants as the scenarios of a benchmark file, which is how they are taken over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.drafting.missing_variants import DRAFTED_FROM
from evaluation.importers.formats.types import Anchor, ScenarioFile
from evaluation.models import GeneratedDraft, MetricVersion
from impactbench.common.errors import DomainError


def row_of_variant(version: MetricVersion, number: int, base: GeneratedDraft, variant: GeneratedDraft) -> ScenarioFile:
    """A variant of a drafted base, which becomes base scenario `number`: the goals are the base's."""
    row = ScenarioFile(
        id="", metric_id=version.metric.local_id, base_number=number, persona="", goal=base.content["goal"],
        latent_adversarial_goal=base.content["latent_adversarial_goal"], anchors=(), profile_slug="", profile_name="",
        title=base.content["title"],
    )  # fmt: skip
    return replace(row, **_told(version, variant))


def row_of_missing_variant(
    version: MetricVersion, rows: Sequence[ScenarioFile], variant: GeneratedDraft
) -> ScenarioFile:
    """A variant of an existing base scenario; all but person and anchors is as in the scenario it was drafted from.

    `rows` are the scenarios of the metric's newest version. Raises DomainError where the base scenario is not among
    them any more, or has a scenario for the profile by now.
    """
    base = variant.base_scenario
    assert base is not None
    assert variant.profile is not None
    stated = (base.number, base.goal, base.latent_adversarial_goal)
    beside = [row for row in rows if (row.base_number, row.goal, row.latent_adversarial_goal) == stated]
    if not beside:
        raise DomainError(f"{version} has no scenario {base.number} with these goals any more. Remove “{variant}”.")
    if any(row.profile_slug == variant.profile.slug for row in beside):
        raise DomainError(f"{version} has scenario {base.number} for {variant.profile} already. Remove “{variant}”.")
    like = next((row for row in beside if row.profile_slug == variant.content[DRAFTED_FROM]), beside[0])
    return replace(like, **_told(version, variant))


def _told(version: MetricVersion, variant: GeneratedDraft) -> dict[str, Any]:
    """What a variant says itself."""
    profile = variant.profile
    assert profile is not None
    return {
        "id": f"{version.metric.local_id}-drafted-{variant.pk}",
        "persona": variant.content["persona"],
        "anchors": tuple(Anchor(anchor["turn"], anchor["objective"]) for anchor in variant.content["anchors"]),
        "profile_slug": profile.slug,
        "profile_name": profile.name,
        "profile_attributes": profile.attributes,
        "attributes": {key: str(value) for key, value in profile.attributes.items()},
    }
