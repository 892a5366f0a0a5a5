"""The list of metrics: its filters as the address names them, and the versions they leave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Benchmark, MetricVersion, Placement
from labels import queries
from labels.addresses import same_page
from labels.context import KINDS_SHOWN, State
from labels.queries import Place
from labels.trust import STATUSES
from labels.wording import KINDS

T = TypeVar("T")

SORTS = {
    "name": gettext_lazy("Name"),
    "benchmark": gettext_lazy("Benchmark"),
    "fewest": gettext_lazy("Fewest good outcomes"),
    "most": gettext_lazy("Most good outcomes"),
}
BY_NUMBER = ("fewest", "most")
LONGEST_SEARCH = 200
# The parameters that narrow the list.
NARROWING = ("q", "area", "subarea", "bench", "p", "status")


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

    def words(self, p: str) -> dict[str, str]:
        """The active filters in words, by their parameter; `p` is the kind as addresses name it."""
        kind = KINDS[KINDS_SHOWN[p]].name if p in KINDS_SHOWN else ""
        active = {
            "q": _("Search: %(text)s") % {"text": self.q} if self.q else "",
            "area": _("Area: %(name)s") % {"name": self.area.name} if self.area else "",
            "subarea": _("Subarea: %(name)s") % {"name": self.subarea.name} if self.subarea else "",
            "bench": _("Benchmark: %(name)s") % {"name": self.benchmark.name} if self.benchmark else "",
            "p": _("Kind: %(name)s") % {"name": kind} if kind else "",
            "status": _("Status: %(name)s") % {"name": STATUSES[self.status]} if self.status else "",
        }
        return {name: words for name, words in active.items() if words}

    def chips(self, request: HttpRequest, state: State) -> list[tuple[str, str]]:
        """The active filters in words, each with the address without it."""
        return [(words, same_page(request, **{name: None})) for name, words in self.words(state.p).items()]


def read_filters(asked: Mapping[str, str], tree: list[Place], benchmarks: list[Benchmark]) -> Filters:
    """The filters that the parameters `asked` of an address name."""
    filters = Filters(q=asked.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH])
    filters.area = _chosen(asked, "area", {place.slug: place for place in tree}, filters)
    parts = {part.slug: part for place in tree for part in place.parts}
    filters.subarea = _chosen(asked, "subarea", parts, filters)
    if filters.subarea and filters.area and filters.subarea not in filters.area.parts:
        words = {"part": filters.subarea.name, "area": filters.area.name}
        filters.notices.append(_("“%(part)s” is no part of “%(area)s”, so it was ignored.") % words)
        filters.subarea = None
    filters.benchmark = _chosen(asked, "bench", {one.slug: one for one in benchmarks}, filters)
    filters.status = _chosen(asked, "status", {slug: slug for slug in STATUSES}, filters) or ""
    filters.sort = _chosen(asked, "sort", {slug: slug for slug in SORTS}, filters) or "name"
    return filters


def _chosen(asked: Mapping[str, str], name: str, known: Mapping[str, T], filters: Filters) -> T | None:
    value = asked.get(name, "")
    if value and value not in known:
        words = {"value": value, "name": name}
        filters.notices.append(_("“%(value)s” is not known here as %(name)s, so it was ignored.") % words)
    return known.get(value)


def conditions(state: State, filters: Filters) -> dict[str, Q]:
    """What each active filter asks of a listed metric version, by its parameter."""
    found: dict[str, Q] = {}
    if state.p != "both":
        found["p"] = Q(polarity=state.polarities[0])
    if filters.benchmark:
        found["bench"] = Q(metric__benchmark=filters.benchmark)
    if filters.status:
        found["status"] = Q(status=filters.status)
    if filters.area:
        found["area"] = Q(_stands_in(state, filters.area, "subarea__area__slug"))
    if filters.subarea:
        found["subarea"] = Q(_stands_in(state, filters.subarea, "subarea__slug"))
    if filters.q:
        found["q"] = matches(filters.q)
    return found


def all_of(asked: Mapping[str, Q], *, but: str = "") -> Q:
    """All conditions together, one left out if it is named."""
    together = Q()
    for name, condition in asked.items():
        if name != but:
            together &= condition
    return together


def versions(state: State, filters: Filters) -> QuerySet[MetricVersion]:
    """The metric versions that the filters leave, annotated with `is_in_release`."""
    return queries.listed_versions(state.release).filter(all_of(conditions(state, filters)))


def ways_out(request: HttpRequest, state: State, filters: Filters) -> list[tuple[str, str, int]]:
    """For a list that the filters leave empty: each filter in words, the address without it, the metrics there then.

    One query. Filters that alone hold everything back come first.
    """
    asked = conditions(state, filters)
    if not asked:
        return []
    every = Q(pk__isnull=False)
    fits = {f"fits_{name}": ExpressionWrapper(every & all_of(asked, but=name), BooleanField()) for name in asked}
    listed = queries.listed_versions(state.release).annotate(**fits)
    n = listed.aggregate(**{name: Count("pk", filter=Q(**{f"fits_{name}": True})) for name in asked})
    words = filters.words(state.p)
    ways = [(words[name], same_page(request, **{name: None}), n[name]) for name in words]
    return sorted(ways, key=lambda way: -way[2])


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
