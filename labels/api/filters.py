"""Filters that several paths share; a value that the release does not know is an error, never an empty list."""

from collections.abc import Mapping

from django.db.models import QuerySet

from evaluation.models import LanguageModel, Release, Verdict
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.remembered import remembered
from labels.api.parameters import NULL

PASSED_VALUES = {"true": True, "false": False, NULL: None}


@remembered
def model_named(release: Release, slug: str) -> LanguageModel:
    """A model of the release by its slug. Raises BadQuery."""
    model = release.targets.filter(slug=slug).first()
    if model is None:
        raise _unknown("model", slug, release, "/api/v1/models/")
    return model


@remembered
def metric_versions_named(release: Release, slug: str) -> list[int]:
    """The keys of the release's versions of a metric by the metric's slug. Raises BadQuery."""
    versions = list(release.metric_versions.filter(metric__slug=slug).values_list("pk", flat=True))
    if not versions:
        raise _unknown("metric", slug, release, "/api/v1/metrics/")
    return versions


def check_profile(release: Release, slug: str) -> None:
    """Raises BadQuery unless the release has the profile."""
    known = _profiles(release)
    if slug not in known:
        reason = f"Release {release.slug} has no profile {quoted(slug)}; known ones: {', '.join(known)}."
        raise BadQuery({"profile": reason})


@remembered
def _profiles(release: Release) -> list[str]:
    return list(release.profiles.values_list("slug", flat=True))


@remembered
def check_benchmark(release: Release, slug: str) -> None:
    """Raises BadQuery unless the release has metrics of the benchmark."""
    if not release.metric_versions.filter(metric__benchmark__slug=slug).exists():
        raise _unknown("benchmark", slug, release, "/api/v1/benchmarks/")


def verdicts_matching(release: Release, values: Mapping[str, str]) -> QuerySet[Verdict]:
    """The verdicts of the release's ended conversations, by `metric`, `model`, `profile` and `passed` where given."""
    verdicts = Verdict.objects.filter(release=release, has_ended=True)
    if "metric" in values:
        verdicts = verdicts.filter(metric_version__in=metric_versions_named(release, values["metric"]))
    if "model" in values:
        verdicts = verdicts.filter(model=model_named(release, values["model"]))
    if "profile" in values:
        check_profile(release, values["profile"])
        verdicts = verdicts.filter(profile__slug=values["profile"])
    if "passed" in values:
        verdicts = verdicts.filter(passed=PASSED_VALUES[values["passed"]])
    return verdicts


def _unknown(noun: str, slug: str, release: Release, address: str) -> BadQuery:
    reason = f"Release {release.slug} has no {noun} {quoted(slug)}; {address}?release={release.slug} lists them."
    return BadQuery({noun: reason})
