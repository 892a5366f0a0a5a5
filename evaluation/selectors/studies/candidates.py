"""What a study can be drawn from: the scenarios, conversations or judgments of runs or of a release."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.db.models import Exists, F, OuterRef, Q

from evaluation.models import Conversation, Judgment, MetricVersion, Release, Run, Scenario, Turn
from evaluation.studies import kinds
from evaluation.studies.draws.frame import COLUMNS

_ROWS_AT_ONCE = 5_000


@dataclass(frozen=True)
class Source:
    """The runs that a study looks at, by themselves or as a release has them."""

    runs: tuple[Run, ...]
    release: Release | None = None

    @property
    def is_public(self) -> bool:
        """Whether its conversations can be looked up on the public site."""
        return self.release is not None or Release.objects.filter(runs__in=self.runs).exists()

    @property
    def words(self) -> str:
        """What it is called on pages."""
        if self.release is not None:
            return f"release {self.release.slug}"
        return f"run{'s' if len(self.runs) > 1 else ''} {', '.join(run.slug for run in self.runs)}"


def source_of_release(release: Release) -> Source:
    """The runs of a release, read as the release reads them."""
    return Source(tuple(release.runs.order_by("slug")), release)


def candidates(kind: str, source: Source) -> pd.DataFrame:
    """A row for each thing that could be drawn: the columns of `evaluation.studies.sampling`, and `version`.

    Only what can be shown is there: scenarios with a text, conversations with their turns, judgments with a verdict.
    """
    rows = {
        kinds.SCENARIO: _scenarios,
        kinds.JUDGMENT: _judgments,
        kinds.CONTEXT: _contexts,
        kinds.CONVERSATION: _simulations if kind == kinds.SIMULATOR_SELECTION else _conversations,
    }[kinds.KINDS[kind].unit]
    return pd.DataFrame(rows(source), columns=[*COLUMNS, "version"], dtype=object)


def fingerprint(table: pd.DataFrame) -> str:
    """A SHA-256 of all candidates in any order: the same one is the same sampling frame."""
    lines = sorted("|".join(map(str, row)) for row in table[list(COLUMNS)].itertuples(index=False))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


_OF_METRIC = ("metric__benchmark__slug", "metric__slug", "polarity")
_BASE = "scenario__base__metric_version__"


def _scenarios(source: Source) -> Iterator[tuple[Any, ...]]:
    versions = MetricVersion.objects.filter(base_scenarios__variants__conversations__run__in=source.runs).distinct()
    shown = Scenario.objects.filter(base__metric_version__in=versions).exclude(
        Q(persona="") & Q(base__persona="") & Q(base__goal="")
    )
    named = [f"base__metric_version__{name}" for name in _OF_METRIC]
    values = shown.values_list(*named, "base_id", "pk", "profile__slug", "base__metric_version_id")
    for benchmark, metric, polarity, base, scenario, profile, version in values.iterator(chunk_size=_ROWS_AT_ONCE):
        yield benchmark, metric, polarity, str(base), str(scenario), profile, None, None, None, version


def _conversations(source: Source) -> Iterator[tuple[Any, ...]]:
    return _rows(_shown(source).annotate(role=F("target__slug")))


def _simulations(source: Source) -> Iterator[tuple[Any, ...]]:
    return _rows(_shown(source).annotate(role=F("run__user_simulator__slug")))


def _contexts(source: Source) -> Iterator[tuple[Any, ...]]:
    planned = Conversation.objects.filter(run__in=source.runs, sample=1).annotate(role=F("target__slug"))
    for row in _rows(planned):
        yield *row[:7], None, None, row[9]


def _judgments(source: Source) -> Iterator[tuple[Any, ...]]:
    shown = Judgment.objects.filter(state=Judgment.State.JUDGED, conversation__in=_shown(source))
    if source.release is not None and source.release.judge_id is not None:
        shown = shown.filter(judge=source.release.judge_id)
    named = [f"conversation__{_BASE}{name}" for name in _OF_METRIC]
    values = shown.order_by().values_list(
        *named,
        "conversation__scenario__base_id",
        "conversation__scenario_id",
        "conversation__scenario__profile__slug",
        "conversation__target__slug",
        "conversation__public_id",
        "pk",
        f"conversation__{_BASE}id",
    )
    for row in values.iterator(chunk_size=_ROWS_AT_ONCE):
        yield *row[:3], str(row[3]), str(row[4]), *row[5:8], str(row[8]), row[9]


def _shown(source: Source) -> Any:
    has_turns = Exists(Turn.objects.filter(conversation=OuterRef("pk")))
    return Conversation.objects.filter(has_turns, run__in=source.runs, state=Conversation.State.FINISHED)


def _rows(conversations: Any) -> Iterator[tuple[Any, ...]]:
    values = conversations.order_by().values_list(
        *(f"{_BASE}{name}" for name in _OF_METRIC),
        "scenario__base_id",
        "scenario_id",
        "scenario__profile__slug",
        "role",
        "public_id",
        f"{_BASE}id",
    )
    for row in values.iterator(chunk_size=_ROWS_AT_ONCE):
        yield *row[:3], str(row[3]), str(row[4]), *row[5:8], None, row[8]
