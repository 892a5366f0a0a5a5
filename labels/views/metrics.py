"""The list of metrics, whole or the part that its live form changes, and the list as data."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Benchmark, MetricVersion, Release, Result
from labels import exploring, metric_list, metric_order, queries
from labels.addresses import canonical_query
from labels.context import State, read_state
from labels.live import answered_live, wants_part
from labels.metric_list import Filters
from labels.queries import Place
from labels.tables import RESULT_COLUMNS, Table, release_table, result_values
from labels.trust import STATUS_CLASSES, STATUSES
from labels.views.siblings import csv_answer, json_answer, page_files

COLUMNS = ("metric", "name", "benchmark", "polarity", "version", "status", "profile", "is_in_release", *RESULT_COLUMNS)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics of a release, filtered and sorted by the address."""
    state, tree, benchmarks, filters = _read(request)
    wanted = metric_list.all_of(metric_list.conditions(state, filters))
    page = metric_order.read_page(request, state, queries.listed_versions(state.release), wanted, filters.sort)
    context = {
        "section": "metrics",
        "state": state,
        "filters": filters,
        "chips": filters.chips(request, state),
        "tree": tree,
        "subareas": _subareas(tree, filters),
        "benchmarks": benchmarks,
        "statuses": STATUSES,
        "sorts": metric_list.SORTS,
        "is_by_number": filters.sort in metric_list.BY_NUMBER,
        "page": page,
        "rows": _rows(request, state, page.versions),
        "ways_out": [] if page.n else metric_list.ways_out(request, state, filters),
        "n_models": len(exploring.shown_models(state)),
        **page_files(request, state, "csv", "xlsx", "json"),
    }
    part = wants_part(request)
    response = render(request, "labels/_metrics_live.html" if part else "labels/metrics.html", context)
    return answered_live(response, request.path + canonical_query(request, state) if part else "")


@require_safe
def metrics_csv(request: HttpRequest) -> HttpResponseBase:
    """All metrics that the filters leave, with the numbers of all models together, as CSV."""
    return csv_answer(request, _table(request))


@require_safe
def metrics_json(request: HttpRequest) -> HttpResponse:
    """The same as JSON."""
    return json_answer(_table(request))


def _read(request: HttpRequest) -> tuple[State, list[Place], list[Benchmark], Filters]:
    state = read_state(request)
    tree = queries.places(state.release) if state.release else []
    benchmarks = queries.listed_benchmarks(state.release)
    filters = metric_list.read_filters(request.GET, tree, benchmarks)
    state.notices.extend(filters.notices)
    return state, tree, benchmarks, filters


def _subareas(tree: list[Place], filters: Filters) -> list[Place]:
    """The areas whose subareas can be chosen: the chosen one alone where one is chosen."""
    return [filters.area] if filters.area else tree


def _rows(request: HttpRequest, state: State, versions: list[MetricVersion]) -> list[dict[str, Any]]:
    by_metric: dict[str, list[Result]] = {}
    if state.release is not None and versions:
        slugs = [version.metric.slug for version in versions]
        by_metric = queries.latest_by_metric(slugs, state.release, state.result_profile)
    shown = {model.pk for model in exploring.shown_models(state)}
    rows = []
    for version in versions:
        item = exploring.listed_metric(version, by_metric.get(version.metric.slug, []), shown, request)
        rows.append({"item": item, "status": STATUSES[version.status], "status_class": STATUS_CLASSES[version.status]})
    return rows


def _table(request: HttpRequest) -> Table:
    state, _tree, _benchmarks, filters = _read(request)
    listed = metric_order.in_order(state, metric_list.versions(state, filters), filters.sort)
    pooled = _pooled(state.release, state.result_profile)
    rows = [_line(version, state, pooled.get(version.metric.slug)) for version in listed]
    return release_table(state.release, "metrics", COLUMNS, rows)


def _pooled(release: Release | None, profile: str) -> dict[str, Result]:
    if release is None:
        return {}
    found: QuerySet[Result] = queries.results(release, Result.Group.METRIC, profile=profile).filter(model=None)
    return {result.key: result for result in found}


def _line(version: MetricVersion, state: State, result: Result | None) -> list[object]:
    return [
        version.metric.slug, exploring.metric_name(version), version.metric.benchmark.slug, version.polarity,
        version.number, version.status, state.result_profile, version.is_in_release,  # type: ignore[attr-defined]
        *result_values(result),
    ]  # fmt: skip
