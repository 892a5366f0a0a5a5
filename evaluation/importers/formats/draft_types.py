"""What a foreign benchmark file yields: drafts that keep their source's words and place, for a person to decide on.

Nothing is invented here: what a source lacks (a persona, a hidden goal, an age) is missing and flagged, and a proposed
polarity is a proposal with its reason (ImpactBench paper, section 3.2.2: criteria were adapted by people).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from evaluation.importers.formats.types import Anchor, FormatDescription, Polarity, Remark, Source

# Whether the source's words may be shown to others, by its licence; 'unknown' counts as 'no' until a person decides.
Sharing = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Proposal:
    """The polarity that the source's words suggest (None where they suggest none), with the reason in plain words."""

    polarity: Polarity | None
    reason: str


@dataclass(frozen=True)
class Origin:
    """Where a draft comes from: the source's own words, unchanged, and their place such as 'line 12' or 'row 7'."""

    text: str
    place: str


@dataclass(frozen=True)
class MetricDraft:
    """One candidate metric. `key` is unique and stable within its file: the source's id, else made from its words.

    `definition` is what a judge would read; equal to the source's words unless they had to be cut out of a longer
    text. `weight` and `labels` (such as severity, axis, dimension) are kept as the source states them and count for
    nothing. `flags` say what a person must add or decide.
    """

    key: str
    name: str
    definition: str
    proposal: Proposal
    origin: Origin
    interpretive_clause: str | None = None
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()
    subareas: tuple[str, ...] = ()
    rationale: str | None = None
    citations: tuple[str, ...] = ()
    weight: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScenarioDraft:
    """One candidate scenario of one or more metrics (their keys); whatever the source does not say is None.

    `profile_slug` is set only where the source's age lies wholly within one of our profiles; `source_age` keeps what it
    says. `context` is what the source gives besides (fixed replies, ideal answers): for the person, never for a model.
    """

    key: str
    metric_keys: tuple[str, ...]
    origin: Origin
    title: str | None = None
    persona: str | None = None
    goal: str | None = None
    latent_adversarial_goal: str | None = None
    anchors: tuple[Anchor, ...] = ()
    profile_slug: str | None = None
    source_age: str | None = None
    target_system_prompt: str | None = None
    turns: int | None = None
    context: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class BenchmarkDraft:
    """A foreign file as drafts. `sharing` follows from the licence; `verified` is False for a format that was built
    from its description and never tried on a real file."""

    slug: str
    name: str
    description: str = ""
    sources: tuple[Source, ...] = ()
    licence: str | None = None
    sharing: Sharing = "unknown"
    contributors: tuple[str, ...] = ()
    content_notices: tuple[str, ...] = ()
    # Text that licences ask to be kept with every copy: a canary, a disclaimer.
    must_keep: tuple[str, ...] = ()
    metrics: tuple[MetricDraft, ...] = ()
    scenarios: tuple[ScenarioDraft, ...] = ()
    verified: bool = True


@dataclass(frozen=True)
class ReadDrafts:
    """What `read` of a draft format hands back: the drafts, what was noteworthy, and what was left out with why."""

    benchmark: BenchmarkDraft
    flags: tuple[Remark, ...] = ()
    skipped: tuple[Remark, ...] = ()


class DraftFormat(Protocol):
    """The four functions of a foreign format; as `types.Format`, but `read` gives drafts."""

    def describe(self) -> FormatDescription: ...
    def recognises(self, path: Path) -> bool: ...
    def find(self, path: Path) -> tuple[Path, ...]: ...
    def read(self, path: Path) -> ReadDrafts: ...
