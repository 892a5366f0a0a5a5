"""Benchmarks: where metrics come from."""

from difflib import get_close_matches
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.content_notices import in_order, kept
from evaluation.models import Benchmark, Result
from labels import exploring, queries, trust
from labels.addresses import other_page
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.tables import Table, release_table
from labels.views.siblings import csv_answer, json_answer, page_files

COLUMNS = ("benchmark", "name", "metrics", "promote_good", "avoid_harm", "licence")


@require_safe
def benchmarks(request: HttpRequest) -> HttpResponse:
    """All benchmarks with metrics in the release or published, and how many of each kind."""
    state = read_state(request)
    rows = [(one, other_page(request, reverse("labels:benchmark", args=[one.slug]))) for one in _counted(state)]
    files = page_files(request, state, "csv", "xlsx", "json")
    return render(request, "labels/benchmarks.html", {"section": "metrics", "state": state, "rows": rows, **files})


@require_safe
def benchmarks_csv(request: HttpRequest) -> HttpResponseBase:
    """The same list as CSV, or as a workbook where the address says so."""
    return csv_answer(request, _table(request))


@require_safe
def benchmarks_json(request: HttpRequest) -> HttpResponse:
    """The same list as JSON."""
    return json_answer(_table(request))


def _counted(state: State) -> Any:
    """The benchmarks with `n_metrics`, `n_promote` and `n_avoid`, by name."""
    listed = Q(metrics__versions__in=queries.listed_versions(state.release).values("pk"))
    counted = Benchmark.objects.filter(listed).annotate(
        n_metrics=Count("metrics", filter=listed, distinct=True),
        n_promote=Count("metrics", filter=listed & Q(metrics__versions__polarity="positive"), distinct=True),
        n_avoid=Count("metrics", filter=listed & Q(metrics__versions__polarity="negative"), distinct=True),
    )
    return counted.order_by("name")


def _table(request: HttpRequest) -> Table:
    state = read_state(request)
    rows = [
        [one.slug, one.name, one.n_metrics, one.n_promote, one.n_avoid, one.licence or None] for one in _counted(state)
    ]
    return release_table(state.release, "benchmarks", COLUMNS, rows)


@require_safe
def benchmark(request: HttpRequest, benchmark: str) -> HttpResponse:
    """One benchmark: its source, every model's numbers on it, and its metrics."""
    state = read_state(request)
    shown = Benchmark.objects.filter(slug=benchmark).first()
    versions = list(queries.listed_versions(state.release).filter(metric__benchmark=shown).order_by("polarity", "name"))
    is_elsewhere = shown and not versions and shown.metrics.filter(versions__is_published=True).exists()
    if shown is None or not (versions or is_elsewhere):
        missing = _("There is no benchmark named “%(name)s”.") % {"name": benchmark}
        raise PageNotFound(missing, _near(benchmark))
    blocks = []
    by_metric = {}
    if state.release is not None and versions:
        n: dict[str | None, int] = {
            kind: sum(version.polarity == kind for version in versions) for kind in ("positive", "negative")
        }
        found = queries.results(state.release, Result.Group.BENCHMARK, keys=[shown.slug], profile=state.result_profile)
        blocks = exploring.blocks(state, found, n)
        slugs = [version.metric.slug for version in versions]
        by_metric = queries.latest_by_metric(slugs, state.release, state.result_profile)
    models = {model.pk for model in exploring.shown_models(state)}
    wanted = [version for version in versions if version.polarity is None or version.polarity in state.polarities]
    context = {
        "section": "metrics",
        "state": state,
        "benchmark": shown,
        "place": shown,
        "blocks": blocks,
        "inside": exploring.listed_metrics(wanted, by_metric, models, request),
        "crumbs": [(_("Benchmarks"), other_page(request, reverse("labels:benchmarks"))), (shown.name, "")],
        "status_classes": trust.STATUS_CLASSES,
        "content_notices": in_order(kept(shown)),
        "contributors": shown.contributors
        or list(dict.fromkeys(one.contributor for one in versions if one.contributor not in ("", shown.name))),
    }
    return render(request, "labels/benchmark.html", context)


def _near(slug: str) -> list[tuple[str, str]]:
    names = dict(Benchmark.objects.filter(metrics__versions__is_published=True).distinct().values_list("slug", "name"))
    near = get_close_matches(slug, names, n=5, cutoff=0.4)
    links = [(names[one], reverse("labels:benchmark", args=[one])) for one in near]
    return links or [(_("All benchmarks"), reverse("labels:benchmarks"))]
