"""What a suite covers: parts of life, polarities, profiles; and what it lacks."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from evaluation.models import MetricVersion, Placement, Polarity, Scenario, Subarea, Suite
from evaluation.selectors.taxonomies import subareas_in_force
from evaluation.services import paper_taxonomy

# The paper tests each metric in three base scenarios (ImpactBench paper, section 3.3.2).
BASES_A_METRIC = 3
# A part of life below this share of one polarity is told as out of balance.
LEAST_SHARE = 0.2
MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class SubareaCoverage:
    """How many metrics of a suite stand in a subarea, by polarity."""

    area: str
    slug: str
    name: str
    n_positive: int
    n_negative: int

    @property
    def n_metrics(self) -> int:
        return self.n_positive + self.n_negative


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a suite lacks, in one sentence, with the first of those it is about."""

    code: str
    sentence: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuiteCoverage:
    """Counts of a suite; a metric in several subareas counts in each, and once in the totals."""

    n_metrics: int
    n_positive: int
    n_negative: int
    n_benchmarks: int
    n_scenarios: int
    by_profile: dict[str, int]
    subareas: tuple[SubareaCoverage, ...]
    lacks: tuple[Lack, ...]

    def to_json(self) -> dict[str, Any]:
        """The report of a command."""
        return {
            "metrics": self.n_metrics,
            "positive": self.n_positive,
            "negative": self.n_negative,
            "benchmarks": self.n_benchmarks,
            "scenarios": self.n_scenarios,
            "profiles": self.by_profile,
            "subareas": [
                {"area": s.area, "slug": s.slug, "name": s.name, "positive": s.n_positive, "negative": s.n_negative}
                for s in self.subareas
            ],
            "lacks": [
                {"code": lack.code, "sentence": lack.sentence, "count": lack.count, "examples": list(lack.examples)}
                for lack in self.lacks
            ],
        }


def coverage_of(suite: Suite, taxonomy: str = paper_taxonomy.SLUG) -> SuiteCoverage:
    """What a suite covers of the newest version of a taxonomy, and what it lacks; a fixed number of queries."""
    versions = list(suite.metric_versions.select_related("metric"))
    scenarios = list(suite.scenarios.select_related("base", "profile"))
    subareas = list(subareas_in_force(taxonomy).select_related("area"))
    placements = Placement.objects.filter(subarea__in=subareas, metric__in=[v.metric_id for v in versions])
    placed: dict[int, set[int]] = defaultdict(set)
    for metric, subarea in placements.values_list("metric_id", "subarea_id"):
        placed[subarea].add(metric)
    covered = tuple(_subarea(subarea, versions, placed[subarea.pk]) for subarea in subareas)
    polarities = Counter(version.polarity for version in versions)
    return SuiteCoverage(
        n_metrics=len(versions),
        n_positive=polarities[Polarity.POSITIVE],
        n_negative=polarities[Polarity.NEGATIVE],
        n_benchmarks=len({version.metric.benchmark_id for version in versions}),
        n_scenarios=len(scenarios),
        by_profile=dict(sorted(Counter(scenario.profile.slug for scenario in scenarios).items())),
        subareas=covered,
        lacks=(
            *_of_subareas(covered),
            *_of_metrics(versions, set().union(*placed.values())),
            *_of_scenarios(versions, scenarios),
        ),
    )


def _subarea(subarea: Subarea, versions: list[MetricVersion], metrics: set[int]) -> SubareaCoverage:
    polarities = Counter(version.polarity for version in versions if version.metric_id in metrics)
    return SubareaCoverage(
        subarea.area.name, subarea.slug, subarea.name, polarities[Polarity.POSITIVE], polarities[Polarity.NEGATIVE]
    )


def _of_subareas(subareas: tuple[SubareaCoverage, ...]) -> list[Lack]:
    empty = [subarea.name for subarea in subareas if not subarea.n_metrics]
    uneven = [
        f"{subarea.name} ({subarea.n_positive} good, {subarea.n_negative} harmful)"
        for subarea in subareas
        if subarea.n_metrics and min(subarea.n_positive, subarea.n_negative) < LEAST_SHARE * subarea.n_metrics
    ]
    return _told(
        _lack("no-metric", "part of life has", "parts of life have", "no metric", empty),
        _lack(
            "uneven-polarity",
            "part of life has",
            "parts of life have",
            f"under {LEAST_SHARE:.0%} of one polarity",
            uneven,
        ),
    )


def _of_metrics(versions: list[MetricVersion], placed: set[int]) -> list[Lack]:
    unplaced = [str(version) for version in versions if version.metric_id not in placed]
    without_clause = [str(version) for version in versions if not version.interpretive_clause]
    not_newest = MetricVersion.objects.filter(metric__in=[version.metric_id for version in versions], is_runnable=True)
    newest = dict(not_newest.order_by("metric_id", "number").values_list("metric_id", "number"))
    older = [str(version) for version in versions if version.number < newest.get(version.metric_id, 0)]
    return _told(
        _lack("not-placed", "metric stands", "metrics stand", "in no part of life", unplaced),
        _lack("no-clause", "metric has", "metrics have", "no interpretive clause", without_clause),
        _lack("older-version", "metric has", "metrics have", "a newer runnable version", older),
    )


def _of_scenarios(versions: list[MetricVersion], scenarios: list[Scenario]) -> list[Lack]:
    bases: dict[int, set[int]] = defaultdict(set)
    profiles: dict[int, set[str]] = defaultdict(set)
    for scenario in scenarios:
        bases[scenario.base.metric_version_id].add(scenario.base_id)
        profiles[scenario.base_id].add(scenario.profile.slug)
    every = set().union(*profiles.values())
    names = {version.pk: str(version) for version in versions}
    numbers = {s.base_id: f"{names.get(s.base.metric_version_id, '')} scenario {s.base.number}" for s in scenarios}
    few = [f"{names[pk]} ({len(bases[pk])})" for pk in names if len(bases[pk]) < BASES_A_METRIC]
    partial = [
        f"{numbers[base]} (no {', '.join(sorted(every - found))})" for base, found in profiles.items() if found != every
    ]
    without = [f"{numbers[s.base_id]} for {s.profile.slug}" for s in scenarios if not s.anchors]
    return _told(
        _lack("few-scenarios", "metric has", "metrics have", f"fewer than {BASES_A_METRIC} base scenarios", few),
        _lack("missing-profile", "base scenario lacks", "base scenarios lack", "a profile that others have", partial),
        _lack("no-anchors", "scenario has", "scenarios have", "no anchors", without),
    )


def _lack(code: str, one: str, many: str, what: str, about: list[str]) -> Lack | None:
    if not about:
        return None
    who = one if len(about) == 1 else many
    return Lack(code, f"{len(about)} {who} {what}", len(about), tuple(sorted(about)[:MOST_NAMED]))


def _told(*lacks: Lack | None) -> list[Lack]:
    return [lack for lack in lacks if lack is not None]
