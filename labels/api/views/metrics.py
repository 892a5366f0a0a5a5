"""`metrics/`: what was measured, in the wording that the release used."""

from typing import Any

from django.db.models import F, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import MetricVersion, Polarity, Release
from labels.api.base import ItemDetail, ItemList
from labels.api.fields import TextOrNull
from labels.api.filters import check_benchmark
from labels.api.parameters import BENCHMARK, POLARITY, STATUS, SUBAREA
from labels.api.problems import BadQuery, quoted

WITH_SLUG = MetricVersion.objects.select_related("metric__benchmark").annotate(slug=F("metric__slug"))


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
        groups = self.context["groups"]
        return [subarea for subarea, metrics in groups.items() if version.slug in metrics]


class _OfMetrics:
    """What list and single metric share."""

    release: Release | None

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()  # type: ignore[misc]
        groups = self.release.groups.get("subarea", {}) if self.release else {}
        return {**context, "groups": {subarea: frozenset(metrics) for subarea, metrics in groups.items()}}

    def items(self, release: Release) -> QuerySet[Any]:
        return WITH_SLUG.filter(releases=release)


class MetricList(_OfMetrics, ItemList):
    """The metrics of the release, by slug."""

    serializer_class = MetricSerializer
    queryset = WITH_SLUG.none()
    ordering = "slug"
    parameters = (BENCHMARK, SUBAREA, POLARITY, STATUS)

    def items(self, release: Release) -> QuerySet[Any]:
        metrics = super().items(release)
        if "benchmark" in self.values:
            check_benchmark(release, self.values["benchmark"])
            metrics = metrics.filter(metric__benchmark__slug=self.values["benchmark"])
        if "subarea" in self.values:
            metrics = metrics.filter(metric__slug__in=_metrics_in(release, self.values["subarea"]))
        columns = {name: self.values[name] for name in ("polarity", "status") if name in self.values}
        return metrics.filter(**columns)


class MetricDetail(_OfMetrics, ItemDetail):
    """One metric of the release."""

    serializer_class = MetricSerializer
    queryset = WITH_SLUG.none()

    def get_object(self) -> MetricVersion:
        slug = f"{self.kwargs['benchmark']}/{self.kwargs['metric']}"
        version = self.get_queryset().filter(slug=slug).order_by("number").last()
        if version is None:
            raise NotFound("There is no such metric in this release.")
        return version


def _metrics_in(release: Release, subarea: str) -> list[str]:
    groups = release.groups.get("subarea", {})
    if subarea not in groups and not release.taxonomy.subareas.filter(slug=subarea).exists():
        reason = f"Release {release.slug} has no subarea {quoted(subarea)}; /api/v1/areas/ lists them."
        raise BadQuery({"subarea": reason})
    return groups.get(subarea, [])
