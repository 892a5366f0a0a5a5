"""What a reviewer should look at in a draft; none of it keeps a draft from being stored."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaluation.generation.types import BaseDraft, ClauseDraft, ProfileBrief, VariantDraft
from evaluation.generation.word_lists import demographic_hits, hits_in

# Words to say, where an anchor should say what is wanted (ImpactBench paper, section 3.3.1).
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201d]{12,})[\"\u201d]")
_SUPPOSES = re.compile(
    r"\b(?:after|once|since|because) the (?:assistant|AI|model|chatbot) (?:has|says|said|refuses|agrees)", re.I
)
_AGE = re.compile(r"\b(\d{1,2})[- ]years?[- ]old\b|\bage[d]? (\d{1,2})\b|\b(?:is|am) (\d{1,2})\b(?= and|,|\.)", re.I)
_BAND = re.compile(r"(\d{1,3})\s*(?:-|\u2013|to)\s*(\d{1,3})")
_OPEN = re.compile(r"(\d{1,3})\s*(?:\+|or older|and older|or more)")
_OLDEST = 120
_LIST_NAMES = {
    "age": "age", "gender": "gender", "ethnicity": "ethnicity", "pronouns": "a pronoun", "school_years": "school years",
}  # fmt: skip


def flags_of_base(base: BaseDraft) -> list[str]:
    """Words that tell demographics, and anchors that prescribe words or suppose a reply."""
    found = [f"{hit.field}: “{hit.word}” ({_LIST_NAMES[hit.list_name]})" for hit in demographic_hits(base)]
    return found + _flags_of_anchors({anchor.turn: anchor.objective for anchor in base.anchors})


def flags_of_variant(variant: VariantDraft, base: BaseDraft, profile: ProfileBrief) -> list[str]:
    """Ages outside the profile, a persona that was not adapted, and anchors as in a base."""
    found = [
        f"persona: the age {age} is outside {profile.name}"
        for age in _ages(variant.persona)
        if not _is_within(age, profile)
    ]
    if variant.persona.casefold() == base.persona.casefold():
        found.append("persona: the same as the base's, not adapted")
    return found + _flags_of_anchors({anchor.turn: anchor.objective for anchor in variant.anchors})


def flags_of_copied_goals(base: BaseDraft, profile: ProfileBrief) -> list[str]:
    """Words of age or school years in goals that were written for another profile: they may not fit this one."""
    hits = hits_in(base.goal, "goal") + hits_in(base.latent_adversarial_goal, "hidden goal")
    return [
        f"{hit.field}: “{hit.word}” ({_LIST_NAMES[hit.list_name]}) is copied and may not fit {profile.name}"
        for hit in hits
        if hit.list_name in ("age", "school_years")
    ]


def flags_of_clause(draft: ClauseDraft) -> list[str]:
    """What the drafter itself was not sure of."""
    is_sure = draft.own_check.casefold().strip(" .\"'") in ("nothing", "none", "no")
    return [] if is_sure else [f"the drafter's own check: {draft.own_check}"]


def _flags_of_anchors(objectives: Mapping[int, str]) -> list[str]:
    found = []
    for turn, objective in objectives.items():
        if _QUOTED.search(objective):
            found.append(f"anchor at turn {turn}: prescribes words to say")
        if _SUPPOSES.search(objective):
            found.append(f"anchor at turn {turn}: supposes what the assistant replied")
    return found


def _ages(text: str) -> list[int]:
    return [int(next(part for part in match.groups() if part)) for match in _AGE.finditer(text)]


def _is_within(age: int, profile: ProfileBrief) -> bool:
    """Whether an age fits the first band of ages that the profile states; any age fits one that states none."""
    for stated in (*profile.attributes.values(), profile.name):
        if band := _BAND.search(str(stated)):
            return int(band[1]) <= age <= int(band[2])
        if beginning := _OPEN.search(str(stated)):
            return int(beginning[1]) <= age <= _OLDEST
    return True
