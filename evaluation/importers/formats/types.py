"""What a benchmark file says, whatever format it came in: plain frozen records, no Django."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

Polarity = Literal["positive", "negative"]


@dataclass(frozen=True)
class Source:
    """Where a benchmark comes from: a paper, a web page, a data set."""

    title: str
    url: str | None = None
    doi: str | None = None


@dataclass(frozen=True)
class Anchor:
    """At turn `turn` (from 1) the simulated user pursues `objective`."""

    turn: int
    objective: str


@dataclass(frozen=True)
class MetricFile:
    """One metric of a benchmark. `definition` is the behaviour itself, for negative metrics too."""

    local_id: str
    name: str
    polarity: Polarity
    definition: str
    interpretive_clause: str | None = None
    judge_question: str | None = None
    examples_present: tuple[str, ...] = ()
    examples_absent: tuple[str, ...] = ()
    subareas: tuple[str, ...] = ()
    rationale: str | None = None
    citations: tuple[str, ...] = ()
    plain_name: str | None = None
    plain_definition: str | None = None


@dataclass(frozen=True)
class ScenarioFile:
    """One scenario for one profile; (metric_id, base_number, profile_slug) is unique in a benchmark."""

    id: str
    metric_id: str
    base_number: int
    persona: str
    goal: str
    latent_adversarial_goal: str
    anchors: tuple[Anchor, ...]
    profile_slug: str
    profile_name: str
    profile_attributes: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    target_system_prompt: str | None = None
    title: str | None = None
    turns: int | None = None


@dataclass(frozen=True)
class BenchmarkFile:
    """A whole benchmark as a file states it. `user_context` and `research_summary` inform generation only."""

    slug: str
    name: str
    description: str = ""
    sources: tuple[Source, ...] = ()
    licence: str | None = None
    contributors: tuple[str, ...] = ()
    user_context: str | None = None
    research_summary: str | None = None
    content_notices: tuple[str, ...] = ()
    metrics: tuple[MetricFile, ...] = ()
    scenarios: tuple[ScenarioFile, ...] = ()


@dataclass(frozen=True)
class Remark:
    """Something to know about one place of a file: `place` such as 'scenario s1', `text` in plain words."""

    place: str
    text: str


@dataclass(frozen=True)
class ReadBenchmark:
    """What `read` hands back: the benchmark, what was noteworthy (`flags`), what was left out (`skipped`)."""

    benchmark: BenchmarkFile
    flags: tuple[Remark, ...] = ()
    skipped: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class FormatDescription:
    """How a format is called, and whether its metrics are runnable at once or drafts for an editor."""

    name: str
    title: str
    is_runnable: bool


class Format(Protocol):
    """The four functions that every format module has (see `formats/__init__.py`)."""

    def describe(self) -> FormatDescription: ...
    def recognises(self, path: Path) -> bool: ...
    def find(self, path: Path) -> tuple[Path, ...]: ...
    def read(self, path: Path) -> ReadBenchmark: ...
