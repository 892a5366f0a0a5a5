"""What a folder of finished results says: plain frozen records, no Django; transcripts come as a stream."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluation.importers.formats.types import Anchor, BenchmarkFile, FormatDescription, Polarity


@dataclass(frozen=True)
class ResultSubarea:
    """A subarea and the slugs of the metrics placed in it (a metric may stand in several)."""

    slug: str
    name: str
    source_id: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class ResultArea:
    slug: str
    name: str
    subareas: tuple[ResultSubarea, ...]


@dataclass(frozen=True)
class ResultModel:
    """A tested model as its source describes it; `extra` keeps what we have no field for (surfaces, ...)."""

    slug: str
    name: str
    provider: str | None = None
    version: str | None = None
    release_year: int | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ResultBenchmark:
    """`definition` is the benchmark's own file where the source has one (pipeline folders), else None."""

    slug: str
    name: str
    definition: BenchmarkFile | None = None


@dataclass(frozen=True)
class ResultMetric:
    """A metric with results. Unknown polarity or definition is None, never guessed."""

    benchmark: str
    local_id: str
    name: str
    polarity: Polarity | None = None
    definition: str | None = None
    why_it_matters: str | None = None
    contributor: str | None = None

    @property
    def slug(self) -> str:
        return f"{self.benchmark}/{self.local_id}"


@dataclass(frozen=True)
class ResultLabelRow:
    """A label row of one polarity; a source row of both polarities is two of these, one slug and title."""

    slug: str
    title: str
    polarity: Polarity
    metrics: tuple[str, ...]
    order: int
    description: str | None = None


@dataclass(frozen=True)
class ResultScenario:
    """A tested scenario; what the source does not publish is None.

    (metric, source_id) and (metric, base_number, profile_slug) are each unique in a results folder.
    """

    benchmark: str
    metric: str
    source_id: str
    base_number: int
    profile_slug: str
    profile_name: str
    profile_attributes: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    title: str | None = None
    description: str | None = None
    persona: str | None = None
    goal: str | None = None
    latent_adversarial_goal: str | None = None
    anchors: tuple[Anchor, ...] | None = None
    target_system_prompt: str | None = None


@dataclass(frozen=True)
class ResultTurn:
    """One exchange. A side that the source lacks (no reply to the last message, say) is None."""

    number: int
    user: str | None
    target: str | None


@dataclass(frozen=True)
class ResultConversation:
    """One conversation (metric, scenario, model, sample) with its verdict.

    `present` is None when unjudged, with `reason` the source's own word. `turns` is None when no transcript
    was published. `counts` is False for a further sample that the source gave no verdict: it is kept, outside
    n_conversations.
    """

    metric: str
    scenario: str
    model: str
    sample: int
    present: bool | None
    reason: str | None = None
    justification: str | None = None
    turns: tuple[ResultTurn, ...] | None = None
    counts: bool = True
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResultCounts:
    """What a reader of the import's report wants to know; every field is exact."""

    models: int
    benchmarks: int
    metrics: int
    metrics_of_unknown_polarity: int
    scenarios: int
    conversations: int
    judged: int
    unjudged: Mapping[str, int]
    extra_samples: int
    transcripts: int
    transcripts_without_verdict: int
    verdict_disagreements: int


@dataclass(frozen=True)
class ResultsFile:
    """A whole folder of results.

    `conversations()` starts a fresh stream each time it is called: every counted conversation exactly once,
    further samples right after theirs, memory bounded by one transcript file.
    """

    source: Path
    layout: str
    areas: tuple[ResultArea, ...]
    label_rows: tuple[ResultLabelRow, ...]
    benchmarks: tuple[ResultBenchmark, ...]
    models: tuple[ResultModel, ...]
    metrics: tuple[ResultMetric, ...]
    scenarios: tuple[ResultScenario, ...]
    counts: ResultCounts
    conversations: Callable[[], Iterator[ResultConversation]]


class ResultFormat(Protocol):
    """The four functions of a format of finished results (see `formats/__init__.py`)."""

    def describe(self) -> FormatDescription: ...
    def recognises(self, path: Path) -> bool: ...
    def find(self, path: Path) -> tuple[Path, ...]: ...
    def read(self, path: Path) -> ResultsFile: ...
