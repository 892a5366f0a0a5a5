"""`metrics/`: what was measured, in the wording that the release used."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import MetricVersion, Placement, Polarity, Release
from impactbench.common.api.fields import TextOrNull
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.prepared import Given, PreparedRows
from impactbench.common.remembered import remembered
from labels import queries
from labels.api.base import ItemDetail, ItemList
from labels.api.filters import check_benchmark
from labels.api.parameters import BENCHMARK, POLARITY, RELEASE, STATUS, SUBAREA
from labels.api.rows import RowSerializer


class MetricSerializer(RowSerializer):
    """A metric. Polarity is null only where a source of imported results does not tell it."""

    slug = serializers.CharField()
    benchmark = serializers.CharField()
    name = serializers.CharField()
    polarity = serializers.ChoiceField(Polarity.choices, allow_null=True)
    definition = TextOrNull()
    interpretive_clause = TextOrNull()
    examples_present = serializers.ListField(child=serializers.CharField())
    examples_absent = serializers.ListField(child=serializers.CharField())
    subareas = serializers.ListField(child=serializers.CharField())
    version = serializers.IntegerField()
    status = serializers.ChoiceField(MetricVersion.Status.choices)

    def item(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Where it stands, in the release or, for what none has measured, today."""
        if row["is_in_release"]:
            subareas = self.context["subareas"].get(row["slug"], [])
        else:
            subareas = _subareas_today().get(row["metric_id"], [])
        return {
            **row,
            "definition": row["definition"] or None,
            "interpretive_clause": row["interpretive_clause"] or None,
            "subareas": subareas,
        }


COLUMNS = (
    "metric_id", "name", "polarity", "definition", "interpretive_clause", "examples_present", "examples_absent",
    "status", "is_in_release",
)  # fmt: skip
NAMED = {"slug": F("metric__slug"), "benchmark": F("metric__benchmark__slug"), "version": F("number")}


class _OfMetrics:
    """What list and single metric share. A query that names no release also gets what none has measured yet."""

    release: Release | None
    values: dict[str, str]

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()  # type: ignore[misc]
        return {**context, "subareas": _subareas_in(self.release) if self.release else {}}

    @property
    def names_release(self) -> bool:
        return RELEASE.name in self.values

    @property
    def rows(self) -> PreparedRows:
        """All that may be asked for."""
        listed = _listed_in_given(has_release=self.release is not None, names_it=self.names_release)
        return PreparedRows(listed, given=(("release", self.release and self.release.pk),))


class MetricList(_OfMetrics, ItemList):
    """The metrics of the release, by slug; without `release`, also those published and not measured yet."""

    serializer_class = MetricSerializer
    queryset = MetricVersion.objects.none()
    ordering = "slug"
    parameters = (BENCHMARK, SUBAREA, POLARITY, STATUS)
    # A link that named the release would leave out what it has not measured.
    pages_name_the_release = False

    def get_queryset(self) -> Any:
        """Also while there is no release."""
        found: PreparedRows | QuerySet[Any] = self.rows
        if "subarea" in self.values and self.release is not None:
            listed = _listed(self.release, names_it=self.names_release)
            found = listed.filter(_stands_in(self.release, self.values["subarea"]))
        columns = {"benchmark": "metric__benchmark__slug", "polarity": "polarity", "status": "status"}
        return found.filter(**{columns[name]: value for name, value in self.values.items() if name in columns})

    def check_empty(self) -> None:
        slug = self.values.get("benchmark")
        if slug and self.release and not self.rows.filter(metric__benchmark__slug=slug).first():
            check_benchmark(self.release, slug)


class MetricDetail(_OfMetrics, ItemDetail):
    """One metric of the release, or one that is published and not measured yet."""

    serializer_class = MetricSerializer
    queryset = MetricVersion.objects.none()

    def get_object(self) -> dict[str, Any]:
        slug = f"{self.kwargs['benchmark']}/{self.kwargs['metric']}"
        metric = self.rows.filter(metric__slug=slug).order_by("-number").first()
        if metric is None:
            raise NotFound("There is no such metric in this release.")
        return metric


@cache
def _listed_in_given(*, has_release: bool, names_it: bool) -> QuerySet[Any]:
    return _listed(Given("release") if has_release else None, names_it=names_it)


def _listed(release: Release | Given | None, *, names_it: bool) -> QuerySet[Any]:
    listed = queries.listed_versions(release)
    return (listed.filter(releases=release) if names_it else listed).values(*COLUMNS, **NAMED)


@remembered
def _subareas_in(release: Release) -> dict[str, list[str]]:
    """The subareas, in the release's order, of each metric by its slug."""
    subareas: dict[str, list[str]] = defaultdict(list)
    for subarea, metrics in release.groups.get("subarea", {}).items():
        for metric in metrics:
            subareas[metric].append(subarea)
    return dict(subareas)


@remembered
def _subareas_today() -> dict[int, list[str]]:
    """The subareas in force that each metric stands in, by its key."""
    subareas: dict[int, list[str]] = defaultdict(list)
    for subarea in queries.subareas_in_force().prefetch_related("placements"):
        for placement in subarea.placements.all():
            subareas[placement.metric_id].append(subarea.slug)
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
