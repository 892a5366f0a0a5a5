"""`metrics/`: what was measured, in the wording that the release used."""

from collections import defaultdict
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import MetricVersion, Placement, Polarity, Release
from impactbench.common.api.fields import TextOrNull
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.remembered import remembered
from labels import queries
from labels.api.base import ItemDetail, ItemList
from labels.api.filters import check_benchmark
from labels.api.parameters import BENCHMARK, POLARITY, RELEASE, STATUS, SUBAREA


class MetricSerializer(serializers.Serializer):
    """A metric. Polarity is null only where a source of imported results does not tell it."""

    slug = serializers.CharField()
    benchmark = serializers.CharField(source="metric.benchmark.slug")
    name = serializers.CharField()
    polarity = serializers.ChoiceField(Polarity.choices, allow_null=True)
    definition = TextOrNull()
    interpretive_clause = TextOrNull()
    examples_present = serializers.ListField(child=serializers.CharField())
    examples_absent = serializers.ListField(child=serializers.CharField())
    subareas = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="number")
    status = serializers.ChoiceField(MetricVersion.Status.choices)

    def get_subareas(self, version: Any) -> list[str]:
        if not version.is_in_release:
            return [subarea.slug for subarea in queries.places_today(version)]
        subareas: list[str] = self.context["subareas"].get(version.slug, [])
        return subareas


class _OfMetrics:
    """What list and single metric share. A query that names no release also gets what none has measured yet."""

    release: Release | None
    values: dict[str, str]

    @property
    def names_a_release(self) -> bool:
        return RELEASE.name in self.values

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()  # type: ignore[misc]
        return {**context, "subareas": _subareas_by_metric(self.release) if self.release else {}}

    def get_queryset(self) -> QuerySet[Any]:
        return self.items(self.release)

    def items(self, release: Release | None) -> QuerySet[Any]:
        return _listed(release, self.names_a_release)


class MetricList(_OfMetrics, ItemList):
    """The metrics of the release, by slug; without `release`, also those published and not measured yet."""

    serializer_class = MetricSerializer
    queryset = MetricVersion.objects.none()
    ordering = "slug"
    parameters = (BENCHMARK, SUBAREA, POLARITY, STATUS)
    # A link that named the release would leave out what it has not measured.
    pages_name_the_release = False

    def items(self, release: Release | None) -> QuerySet[Any]:
        metrics = super().items(release)
        if "benchmark" in self.values:
            found = metrics.filter(metric__benchmark__slug=self.values["benchmark"])
            if release is not None and not found.exists():
                check_benchmark(release, self.values["benchmark"])
            metrics = found
        if "subarea" in self.values and release is not None:
            metrics = metrics.filter(_stands_in(release, self.values["subarea"]))
        columns = {name: self.values[name] for name in ("polarity", "status") if name in self.values}
        return metrics.filter(**columns)


class MetricDetail(_OfMetrics, ItemDetail):
    """One metric of the release, or one that is published and not measured yet."""

    serializer_class = MetricSerializer
    queryset = MetricVersion.objects.none()

    def get_object(self) -> MetricVersion:
        slug = f"{self.kwargs['benchmark']}/{self.kwargs['metric']}"
        version = self.get_queryset().filter(slug=slug).order_by("number").last()
        if version is None:
            raise NotFound("There is no such metric in this release.")
        return version


@remembered
def _listed(release: Release | None, is_named: bool) -> QuerySet[Any]:
    """Not asked yet; whoever gets it narrows a copy."""
    listed = queries.listed_versions(release).annotate(slug=F("metric__slug"))
    return listed.filter(releases=release) if is_named else listed


@remembered
def _subareas_by_metric(release: Release) -> dict[str, list[str]]:
    """The subareas, in the release's order, of each metric by its slug."""
    subareas: dict[str, list[str]] = defaultdict(list)
    for subarea, metrics in release.groups.get("subarea", {}).items():
        for metric in metrics:
            subareas[metric].append(subarea)
    return dict(subareas)


def _stands_in(release: Release, subarea: str) -> Q:
    """In the subarea when the release was made; for metrics it has not measured, in the subarea today."""
    placed = Placement.objects.filter(metric=OuterRef("metric"), subarea__slug=subarea)
    today = placed.filter(subarea__taxonomy=release.taxonomy_id)
    return Q(metric__slug__in=_metrics_in(release, subarea), is_in_release=True) | (
        Q(is_in_release=False) & Q(Exists(today))
    )


def _metrics_in(release: Release, subarea: str) -> list[str]:
    groups = release.groups.get("subarea", {})
    if subarea not in groups and not release.taxonomy.subareas.filter(slug=subarea).exists():
        reason = f"Release {release.slug} has no subarea {quoted(subarea)}; /api/v1/areas/ lists them."
        raise BadQuery({"subarea": reason})
    return groups.get(subarea, [])
