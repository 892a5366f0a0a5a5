"""Filters that several paths share; a value that the release does not know is an error, never an empty list."""

from collections.abc import Mapping
from typing import Any

from evaluation.models import LanguageModel, Release
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.remembered import remembered
from labels.api.parameters import NULL

PASSED_VALUES = {"true": True, "false": False, NULL: None}


def find_model(release: Release, slug: str) -> LanguageModel | None:
    """A model of the release by its slug."""
    return _models(release).get(slug)


@remembered
def _models(release: Release) -> dict[str, LanguageModel]:
    return {model.slug: model for model in release.targets.all()}


def model_named(release: Release, slug: str) -> LanguageModel:
    """A model of the release by its slug. Raises BadQuery."""
    model = find_model(release, slug)
    if model is None:
        raise _unknown("model", slug, release, "/api/v1/models/")
    return model


def metric_versions_named(release: Release, slug: str) -> tuple[int, ...]:
    """The keys of the release's versions of a metric by the metric's slug. Raises BadQuery."""
    versions = _versions_by_metric(release).get(slug, ())
    if not versions:
        raise _unknown("metric", slug, release, "/api/v1/metrics/")
    return versions


@remembered
def _versions_by_metric(release: Release) -> dict[str, tuple[int, ...]]:
    versions: dict[str, tuple[int, ...]] = {}
    for slug, key in release.metric_versions.values_list("metric__slug", "pk").order_by("pk"):
        versions[slug] = (*versions.get(slug, ()), key)
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


def check_benchmark(release: Release, slug: str) -> None:
    """Raises BadQuery unless the release has metrics of the benchmark."""
    if not release.metric_versions.filter(metric__benchmark__slug=slug).exists():
        raise _unknown("benchmark", slug, release, "/api/v1/benchmarks/")


def of_verdicts(release: Release, values: Mapping[str, str]) -> dict[str, Any]:
    """What is true of the release's verdicts with these values of `metric`, `model`, `profile` and `passed`.

    Raises BadQuery for what the release does not know.
    """
    lookups: dict[str, Any] = {"release": release.pk}
    if "metric" in values:
        lookups["metric_version__in"] = metric_versions_named(release, values["metric"])
    if "model" in values:
        lookups["model"] = model_named(release, values["model"]).pk
    if "profile" in values:
        check_profile(release, values["profile"])
        lookups["profile__slug"] = values["profile"]
    if "passed" in values:
        lookups["passed"] = PASSED_VALUES[values["passed"]]
    return lookups


def _unknown(noun: str, slug: str, release: Release, address: str) -> BadQuery:
    reason = f"Release {release.slug} has no {noun} {quoted(slug)}; {address}?release={release.slug} lists them."
    return BadQuery({noun: reason})
