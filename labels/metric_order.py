"""The orders of the list of metrics, and its pages: each begins after a named metric, however the list grows."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.expressions import Func
from django.db.models.functions import Coalesce, Lower, NullIf
from django.http import HttpRequest

from evaluation.models import MetricVersion, Result
from labels.addresses import same_page
from labels.context import State

PAGE_SIZE = 25
# Behind every rate, whichever way they are sorted.
_NO_RATE = 2.0


@dataclass(frozen=True)
class Page:
    """Some of the `n` metrics that the filters leave of `n_all`: those from `start` (counted from 1) on.

    `previous` and `next` are queries of this page, empty where there is nothing more.
    """

    versions: list[MetricVersion]
    n_all: int
    n: int
    start: int
    previous: str
    next: str

    @property
    def end(self) -> int:
        return self.start + len(self.versions) - 1


def read_page(
    request: HttpRequest, state: State, listed: QuerySet[MetricVersion], wanted: Q, sort: str, size: int = PAGE_SIZE
) -> Page:
    """The page of `listed` (all metrics) under the condition `wanted` that `after` or `before` in the address names.

    Three queries: the named metric, the counts, the page. A metric that is not listed means the first page.
    """
    keyed = listed.annotate(**_keys(state, sort))
    names = tuple(_keys(state, sort))
    backwards = "after" not in request.GET and "before" in request.GET
    anchor = _anchor(request, keyed, names)
    n_all, n, start = _counts(keyed, wanted, names, anchor, backwards=backwards)
    if backwards:
        start = max(start - size, 0)
    if anchor is None or (backwards and start == 0):
        rows = list(keyed.filter(wanted).order_by(*names)[:size])
        start = 0
    elif backwards:
        before = keyed.filter(wanted, _side(names, anchor, "lt"))
        rows = list(before.order_by(*(f"-{name}" for name in names))[:size])[::-1]
    else:
        rows = list(keyed.filter(wanted, _side(names, anchor, "gt")).order_by(*names)[:size])
    previous = same_page(request, before=rows[0].metric.slug) if rows and start else ""
    more = start + len(rows) < n
    following = same_page(request, after=rows[-1].metric.slug) if rows and more else ""
    return Page(rows, n_all, n, start + 1, previous, following)


def in_order(state: State, listed: QuerySet[MetricVersion], sort: str) -> QuerySet[MetricVersion]:
    """All of `listed` in the order of the list."""
    keys = _keys(state, sort)
    return listed.annotate(**keys).order_by(*keys)


def _keys(state: State, sort: str) -> dict[str, Func]:
    """The values by which the list is sorted, first the chosen one; together they are unique, and none is null."""
    name: dict[str, Func] = {
        "by_name": Lower(Coalesce(NullIf("plain_name", Value("")), "name")),
        "by_slug": Lower("metric__slug"),
    }
    if sort == "benchmark":
        return {"by_benchmark": Lower("metric__benchmark__name"), **name}
    if sort == "name" or state.release is None:
        return name
    pooled = Result.objects.filter(
        release=state.release, group="metric", model=None, profile=state.result_profile, key=OuterRef("metric__slug")
    )
    rate = Subquery(pooled.values("pass_rate")[:1], output_field=FloatField())
    sign = -1.0 if sort == "most" else 1.0
    return {"by_rate": Coalesce(rate * Value(sign), Value(_NO_RATE), output_field=FloatField()), **name}


def _anchor(request: HttpRequest, keyed: QuerySet[MetricVersion], names: Sequence[str]) -> tuple[object, ...] | None:
    slug = (request.GET.get("after") or request.GET.get("before") or "").replace("\x00", "")
    found = keyed.filter(metric__slug=slug).values_list(*names).first() if slug else None
    return tuple(found) if found else None


def _side(names: Sequence[str], anchor: Sequence[object], lookup: str) -> Q:
    """Rows that come before ('lt') or after ('gt') the anchor in the order of the keys."""
    side, equal = Q(), Q()
    for name, value in zip(names, anchor, strict=True):
        side |= equal & Q(**{f"{name}__{lookup}": value})
        equal &= Q(**{name: value})
    return side


def _counts(
    keyed: QuerySet[MetricVersion], wanted: Q, names: Sequence[str], anchor: Sequence[object] | None, *, backwards: bool
) -> tuple[int, int, int]:
    """How many there are, how many are wanted, and how many of these stand before the page."""
    # Asked in the inner query: PostgreSQL finds no outer row from within the filter of a count.
    keyed = keyed.annotate(fits=ExpressionWrapper(Q(pk__isnull=False) & wanted, BooleanField()))
    counts = {"n_all": Count("pk"), "n": Count("pk", filter=Q(fits=True))}
    if anchor is not None:
        earlier = _side(names, anchor, "lt")
        if not backwards:
            earlier |= Q(**dict(zip(names, anchor, strict=True)))
        counts["start"] = Count("pk", filter=Q(fits=True) & earlier)
    found = keyed.aggregate(**counts)
    return found["n_all"], found["n"], found.get("start", 0)
