"""The list of metrics: its filters as the address names them, and the versions they leave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Lower, NullIf
from django.http import HttpRequest

from evaluation.models import Benchmark, MetricVersion, Placement, Result
from labels import queries
from labels.addresses import same_page
from labels.context import State
from labels.queries import Place
from labels.wording import KINDS

T = TypeVar("T")

SORTS = {"name": "Name", "fewest": "Fewest good outcomes", "most": "Most good outcomes"}
STATUSES = {
    "draft": "Not measured yet",
    "machine-judged": "Machine-judged",
    "expert-reviewed": "Expert-reviewed",
    "disputed": "Disputed",
    "retired": "Retired",
}
STATUS_CLASSES = {
    "draft": "draft",
    "machine-judged": "judged",
    "expert-reviewed": "reviewed",
    "disputed": "disputed",
    "retired": "retired",
}
LONGEST_SEARCH = 200


@dataclass
class Filters:
    """What the address asks for; unknown values are dropped with a notice."""

    q: str = ""
    area: Place | None = None
    subarea: Place | None = None
    benchmark: Benchmark | None = None
    status: str = ""
    sort: str = "name"
    notices: list[str] = field(default_factory=list)

    def chips(self, request: HttpRequest, state: State) -> list[tuple[str, str]]:
        """The active filters in words, each with the address without it."""
        active = [
            ("q", f"Search: {self.q}" if self.q else ""),
            ("area", f"Area: {self.area.name}" if self.area else ""),
            ("subarea", f"Subarea: {self.subarea.name}" if self.subarea else ""),
            ("bench", f"Benchmark: {self.benchmark.name}" if self.benchmark else ""),
            ("p", f"Kind: {KINDS[state.polarities[0]].name}" if len(state.polarities) == 1 else ""),
            ("status", f"Status: {STATUSES[self.status]}" if self.status else ""),
        ]
        return [(words, same_page(request, **{name: None})) for name, words in active if words]


def read_filters(request: HttpRequest, tree: list[Place], benchmarks: list[Benchmark]) -> Filters:
    """The filters that the address names."""
    filters = Filters(q=request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH])
    filters.area = _chosen(request, "area", {place.slug: place for place in tree}, filters)
    parts = [part for place in tree for part in place.parts]
    filters.subarea = _chosen(request, "subarea", {part.slug: part for part in parts}, filters)
    filters.benchmark = _chosen(request, "bench", {one.slug: one for one in benchmarks}, filters)
    filters.status = _chosen(request, "status", dict(zip(STATUSES, STATUSES, strict=True)), filters) or ""
    filters.sort = _chosen(request, "sort", dict(zip(SORTS, SORTS, strict=True)), filters) or "name"
    return filters


def _chosen(request: HttpRequest, name: str, known: Mapping[str, T], filters: Filters) -> T | None:
    value = request.GET.get(name, "")
    if value and value not in known:
        filters.notices.append(f"“{value}” is not known here as {name}, so it was ignored.")
    return known.get(value)


def versions(state: State, filters: Filters) -> QuerySet[MetricVersion]:
    """The metric versions that the filters leave, in the chosen order, annotated with `is_in_release`."""
    found = queries.listed_versions(state.release)
    if state.p != "both":
        found = found.filter(polarity=state.polarities[0])
    if filters.benchmark:
        found = found.filter(metric__benchmark=filters.benchmark)
    if filters.status:
        found = found.filter(status=filters.status)
    for place, column in ((filters.area, "subarea__area__slug"), (filters.subarea, "subarea__slug")):
        if place is not None:
            found = found.filter(_stands_in(state, place, column))
    if filters.q:
        found = found.filter(matches(filters.q))
    return _sorted(found, state, filters.sort)


def matches(text: str) -> Q:
    """Metric versions in whose names, words or benchmark every word of `text` stands."""
    found = Q()
    for word in text.split():
        found &= (
            Q(name__icontains=word)
            | Q(plain_name__icontains=word)
            | Q(plain_definition__icontains=word)
            | Q(definition__icontains=word)
            | Q(metric__slug__icontains=word)
            | Q(metric__benchmark__name__icontains=word)
        )
    return found


def _stands_in(state: State, place: Place, column: str) -> Combinable | Q:
    """In the place when the release was made; for metrics it has not measured, in the place today."""
    taxonomy = state.release.taxonomy_id if state.release else None
    today = Placement.objects.filter(metric=OuterRef("metric"), subarea__taxonomy=taxonomy, **{column: place.slug})
    return Q(metric__slug__in=place.metrics) | (Q(is_in_release=False) & Exists(today))


def _sorted(found: QuerySet[MetricVersion], state: State, sort: str) -> QuerySet[MetricVersion]:
    name = Lower(Coalesce(NullIf("plain_name", Value("")), "name"))
    if sort == "name" or state.release is None:
        return found.order_by(name, "metric__slug")
    pooled = Result.objects.filter(
        release=state.release, group="metric", model=None, profile=state.result_profile, key=OuterRef("metric__slug")
    )
    rate = F("rate").asc(nulls_last=True) if sort == "fewest" else F("rate").desc(nulls_last=True)
    return found.annotate(rate=Subquery(pooled.values("pass_rate")[:1])).order_by(rate, name, "metric__slug")
