"""`areas/`: the release's taxonomy, and how many of its metrics stand where."""

from collections import Counter
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.models import Area, Polarity, Release, Subarea
from labels.api.base import ItemDetail, ItemList


class SubareaSerializer(serializers.Serializer):
    """A part of an area, with the number of the release's metrics in it by polarity."""

    slug = serializers.CharField()
    name = serializers.CharField()
    n_positive = serializers.SerializerMethodField()
    n_negative = serializers.SerializerMethodField()

    def get_n_positive(self, subarea: Subarea) -> int:
        return self.context["counts"][subarea.slug, Polarity.POSITIVE]

    def get_n_negative(self, subarea: Subarea) -> int:
        return self.context["counts"][subarea.slug, Polarity.NEGATIVE]


class AreaSerializer(serializers.Serializer):
    """A domain of life. A metric may stand in several subareas and counts in each."""

    slug = serializers.CharField()
    name = serializers.CharField()
    subareas = serializers.SerializerMethodField()

    @extend_schema_field(SubareaSerializer(many=True))
    def get_subareas(self, area: Area) -> Any:
        return SubareaSerializer(area.subareas.all(), many=True, context=self.context).data


def metrics_by_subarea(release: Release) -> Counter[tuple[str, str | None]]:
    """How many metrics of the release stand in each (subarea, polarity), as frozen with it."""
    polarity = dict(release.metric_versions.values_list("metric__slug", "polarity"))
    return Counter(
        (subarea, polarity.get(metric))
        for subarea, metrics in release.groups.get("subarea", {}).items()
        for metric in metrics
    )


class _WithCounts:
    """Tells the serializers how many metrics stand in each subarea."""

    release: Release | None

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()  # type: ignore[misc]
        return {**context, "counts": metrics_by_subarea(self.release) if self.release else Counter()}

    def items(self, release: Release) -> QuerySet[Area]:
        return Area.objects.filter(taxonomy=release.taxonomy_id).prefetch_related("subareas")


class AreaList(_WithCounts, ItemList):
    """The areas of the release's taxonomy with their subareas."""

    serializer_class = AreaSerializer
    queryset = Area.objects.none()


class AreaDetail(_WithCounts, ItemDetail):
    """One area with its subareas."""

    serializer_class = AreaSerializer
    queryset = Area.objects.none()
