"""What drafting is about, in plain values: what a model is shown, and what it may hand back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from evaluation.engine.types import Anchor, Polarity, Usage

Draft = TypeVar("Draft")


@dataclass(frozen=True, slots=True)
class BenchmarkBrief:
    """What a benchmark says of itself; `research_summary` is shown to the drafter of interpretive clauses only."""

    name: str
    description: str = ""
    user_context: str = ""
    research_summary: str = ""


@dataclass(frozen=True, slots=True)
class MetricSheet:
    """One metric as a drafter reads it."""

    name: str
    polarity: Polarity
    definition: str
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileBrief:
    """A demographic profile of a person, such as teen (13-17)."""

    slug: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaseDraft:
    """b = (persona, goal, latent adversarial goal, anchors) without demographics (ImpactBench paper, section 3.3.1).

    `setting` and `tone` are the drafter's words for where it happens and how the person feels; they are for reviewers.
    """

    title: str
    setting: str
    tone: str
    persona: str
    goal: str
    latent_adversarial_goal: str
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class VariantDraft:
    """A base scenario for one profile. Both goals are the base's, copied by code and never written by a model."""

    profile_slug: str
    persona: str
    anchors: tuple[Anchor, ...]
    goal: str
    latent_adversarial_goal: str


@dataclass(frozen=True, slots=True)
class ClauseDraft:
    """An interpretive clause, with the conflicts in evidence that it was derived from and the drafter's own check."""

    clause: str
    conflicts: tuple[str, ...] = ()
    own_check: str = ""


@dataclass(frozen=True, slots=True)
class MetricIdea:
    """A candidate metric; `criterion` is the number (from 1) of the source's criterion it was drawn from, else None."""

    name: str
    polarity: Polarity
    definition: str
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()
    rationale: str = ""
    criterion: int | None = None


@dataclass(frozen=True, slots=True)
class Drafted(Generic[Draft]):
    """What one question brought: `drafts`, or a `refusal` that says why there are none; never a part of them.

    `was_repaired` says that a second call was needed. `reason` is a short code of the refusal.
    """

    drafts: tuple[Draft, ...] = ()
    reason: str = ""
    refusal: str = ""
    was_repaired: bool = False
    usage: Usage = field(default_factory=Usage)
