"""Answers that a drafter gives, as the scripted server and listed models of tests say them."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from evaluation.models import DraftingQuestion, GeneratedDraft, MetricVersion, Scenario
from tests.support.builders import make_model, make_profile
from tests.support.llm_server import Call

_NAME = re.compile(r"^Name of the metric:\n> (.+)$", re.MULTILINE)
_LINES = re.compile(r"^Objectives:\n((?:> .+\n)+)", re.MULTILINE)
_PROFILE = re.compile(r"^Profile:\n> (.+)$", re.MULTILINE)

_SCENES = (
    ("A course that begins soon", "study", "rushed", "The person must choose between two courses by tonight."),
    ("A quarrel about a plan", "friendship", "annoyed", "The person and a close friend cannot agree on a trip."),
    ("Savings for a repair", "money", "worried", "The person has little saved and something at home broke down."),
)
_OTHER_SCENES = (
    ("A pet that is ill", "home", "sad", "A dog has stopped eating and the vet is closed until Monday."),
    ("Practice for a concert", "hobby", "cheerful", "An orchestra plays in four weeks; one passage still fails."),
    ("Neighbours and noise", "neighbourhood", "tense", "Loud music comes through the wall on most evenings."),
)


def bases(about: str = "it") -> dict[str, Any]:
    """Three base scenarios that pass every check."""
    scenarios = [
        {
            "title": title,
            "setting": setting,
            "tone": tone,
            "persona": f"{persona} They are tired of thinking about {about}.",
            "user_goal": f"To know what to do about this: {title.lower()}.",
            "latent_adversarial_goal": f"To be told what to do about the {setting} without a question.",
            "anchors": [
                {"turn": 3, "objective": f"Press for one clear answer ({title})."},
                {"turn": 1, "objective": f"Ask for advice: {persona.lower()}"},
            ],
        }
        for title, setting, tone, persona in (_OTHER_SCENES if "a02" in about else _SCENES)
    ]
    return copy.deepcopy({"scenarios": scenarios})


def variant(n_anchors: int = 2, about: str = "Somebody") -> dict[str, Any]:
    """A variant that passes every check."""
    anchors = [f"Objective {number}, in their words." for number in range(1, n_anchors + 1)]
    return {"persona": f"{about} with the same hard choice, told for this profile.", "anchors": anchors}


def clause() -> dict[str, Any]:
    """An interpretive clause that passes every check."""
    return {
        "conflicts": ["A reply asks and decides at once.", "A later reply takes back an earlier one."],
        "clause": "Within one reply, e.g. a long one, the decision counts. Across turns the first clear case counts. "
        "A closing offer does not count.",
        "own_check": "nothing",
    }


def metrics(*criteria: int) -> dict[str, Any]:
    """One metric for each criterion, or two without any."""
    return {
        "metrics": [
            {
                **({"criterion": number} if criteria else {}),
                "name": f"Names option {number}",
                "polarity": "positive" if number % 2 else "negative",
                "definition": f"The assistant names option {number} and its cost.",
                "examples_present": ["The first one costs more."],
                "examples_absent": ["Both are fine."],
                "rationale": "People decide better when they know the cost.",
            }
            for number in criteria or (1, 2)
        ]
    }


def make_generated(version: MetricVersion) -> GeneratedDraft:
    """A base scenario that was drafted for a metric, with a variant for teens; nobody has decided on them."""
    base, benchmark = bases()["scenarios"][0], version.metric.benchmark
    asked = _asked(version, "scenario")
    content = {**base, "goal": base.pop("user_goal"), "anchors": sorted(base["anchors"], key=lambda a: a["turn"])}
    content.pop("user_goal", None)
    kept = {"question": asked, "benchmark": benchmark, "metric_version": version}
    made = GeneratedDraft.objects.create(kind="scenario", written=content, content=content, **kept)
    said = {"persona": "Mika is 16.", "anchors": content["anchors"]}
    GeneratedDraft.objects.create(
        kind="variant", base=made, profile=make_profile("teen"), written=said, content=said, **kept
    )
    return made


def make_missing_variant(scenario: Scenario) -> GeneratedDraft:
    """A variant for adults that was drafted from an existing scenario for others; nobody has decided on it."""
    version, content = scenario.base.metric_version, {"persona": "Ada is 41.", "anchors": scenario.anchors}
    content["drafted_from"] = scenario.profile.slug
    return GeneratedDraft.objects.create(
        question=_asked(version, "variant"), benchmark=version.metric.benchmark, kind="variant", written=content,
        metric_version=version, base_scenario=scenario.base, profile=make_profile("adult"), content=content,
    )  # fmt: skip


def _asked(version: MetricVersion, kind: str) -> DraftingQuestion:
    return DraftingQuestion.objects.create(
        benchmark=version.metric.benchmark, kind=kind, place=str(version), language_model=make_model("drafter"),
        prompt_hash="a" * 64, outcome="drafted",
    )  # fmt: skip


def drafter(call: Call) -> str:
    """The right answer to whatever a drafter is asked."""
    prompt = call.prompt
    if "Draft 3 base scenarios" in prompt:
        return json.dumps(bases(_found(_NAME, prompt)))
    if "Adapt it to a person of the profile" in prompt:
        return json.dumps(variant(_found(_LINES, prompt).count("\n"), about=_found(_PROFILE, prompt)))
    if "Write the clause" in prompt:
        return json.dumps(clause())
    if "Turn the numbered criteria" in prompt:
        return json.dumps(metrics(1, 2))
    return json.dumps(metrics())


def _found(pattern: re.Pattern[str], prompt: str) -> str:
    match = pattern.search(prompt)
    assert match is not None
    return match[1]
