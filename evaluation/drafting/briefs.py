"""Benchmarks, metrics, profiles and stored drafts in the words of the drafter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from evaluation.engine.types import Anchor, Polarity
from evaluation.generation.types import BaseDraft, BenchmarkBrief, MetricSheet, ProfileBrief
from evaluation.importers.writing.stored import latest_versions
from evaluation.models import Benchmark, MetricVersion, Profile
from evaluation.services.briefs import anchors_of
from impactbench.common.errors import UnusableInput


def benchmark_brief(benchmark: Benchmark) -> BenchmarkBrief:
    """What a benchmark says of itself."""
    return BenchmarkBrief(
        benchmark.name, benchmark.description, benchmark.target_context, research_summary=benchmark.research_summary
    )


def metric_sheet(version: MetricVersion) -> MetricSheet:
    """A metric version as a drafter reads it; it has a polarity."""
    return MetricSheet(
        name=version.name,
        polarity=cast(Polarity, version.polarity),
        definition=version.definition,
        examples_present=tuple(version.examples_present),
        examples_absent=tuple(version.examples_absent),
    )


def profile_brief(profile: Profile) -> ProfileBrief:
    """A profile with what it says of a person."""
    return ProfileBrief(profile.slug, profile.name, {name: str(value) for name, value in profile.attributes.items()})


def base_draft(content: Mapping[str, Any]) -> BaseDraft:
    """A base scenario as it is kept in JSON."""
    return BaseDraft(**{**content, "anchors": anchors_of(content["anchors"])})


def anchors_json(anchors: tuple[Anchor, ...]) -> list[dict[str, Any]]:
    """Anchors as they are kept in JSON."""
    return [{"turn": anchor.turn, "objective": anchor.objective} for anchor in anchors]


def benchmark_named(slug: str) -> Benchmark:
    """The benchmark of that slug. Raises UnusableInput."""
    found = Benchmark.objects.filter(slug=slug).first()
    if found is None:
        raise UnusableInput(f"there is no benchmark {slug}; import it first with import_benchmark")
    return found


def profiles_named(slugs: list[str]) -> list[Profile]:
    """The profiles of these slugs, in the order of profiles. Raises UnusableInput naming those that are not there."""
    found = list(Profile.objects.filter(slug__in=slugs))
    missing = sorted(set(slugs) - {profile.slug for profile in found})
    if missing:
        known = ", ".join(Profile.objects.values_list("slug", flat=True))
        raise UnusableInput(f"there is no profile {', '.join(missing)}; known are {known}")
    return found


def draftable_versions(benchmark: Benchmark) -> list[MetricVersion]:
    """The newest version of every metric that can be drafted for: it has a polarity and a definition, and is in use."""
    return [
        version
        for version in latest_versions(benchmark)
        if version.polarity and version.definition and not version.is_imported_result and version.retired_at is None
    ]
