"""The list of metrics, the page of a metric and the page of one of its scenarios."""

from difflib import get_close_matches
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.content_notices import notices_of
from evaluation.models import (
    BaseScenario,
    Benchmark,
    Metric,
    MetricVersion,
    Profile,
    Release,
    Result,
    Scenario,
    Verdict,
)
from labels import exploring, metric_history, metric_list, metric_page, queries
from labels.addresses import other_page
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.queries import Place

PAGE_SIZE = 25


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics of a release, filtered and sorted by the address."""
    state = read_state(request)
    tree = queries.places(state.release) if state.release else []
    benchmarks = list(Benchmark.objects.filter(metrics__versions__in=queries.listed_versions(state.release)).distinct())
    filters = metric_list.read_filters(request, tree, benchmarks)
    state.notices.extend(filters.notices)
    found = metric_list.versions(state, filters)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "section": "metrics",
        "state": state,
        "filters": filters,
        "chips": filters.chips(request, state),
        "tree": tree,
        "benchmarks": benchmarks,
        "statuses": metric_list.STATUSES,
        "sorts": metric_list.SORTS,
        "page": page,
        "rows": _rows(request, state, list(page.object_list)),
        "n_models": len(exploring.shown_models(state)),
    }
    return render(request, "labels/metrics.html", context)


def _rows(request: HttpRequest, state: State, versions: list[MetricVersion]) -> list[dict[str, Any]]:
    by_metric: dict[str, list[Result]] = {}
    if state.release is not None:
        slugs = [version.metric.slug for version in versions]
        by_metric = queries.latest_by_metric(slugs, state.release, state.result_profile)
    shown = {model.pk for model in exploring.shown_models(state)}
    rows = []
    for version in versions:
        item = exploring.listed_metric(version, by_metric.get(version.metric.slug, []), shown, request)
        status = metric_list.STATUSES[version.status]
        rows.append({"item": item, "status": status, "status_class": metric_list.STATUS_CLASSES[version.status]})
    return rows


@require_safe
def metric(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """One metric: what is good here, the verdicts, the exact words, the scenarios, and how far to trust it."""
    state = read_state(request)
    public = _public_versions(state, benchmark, metric)
    version, verdicts = _measured(state, public, _asked_version(request, state))
    if state.release_is_pinned:
        # What came after a release is no part of what it shows.
        public = [one for one in public if one.number <= version.number]
    newest = public[-1]
    profiles = _profiles(state, verdicts)
    rows, totals, everything = metric_page.model_rows(request, version, _shown(state, verdicts), profiles)
    prefetch_related_objects([version], Prefetch("base_scenarios", BaseScenario.objects.prefetch_related("variants")))
    pooled = None
    if state.release is not None and len(rows) > 0:
        pooled = (
            queries.results(
                state.release, Result.Group.METRIC, keys=[version.metric.slug], profile=state.result_profile
            )
            .filter(model=None)
            .first()
        )
    judge, judge_note = metric_page.judge_words(state.release if verdicts else None)
    context = {
        "section": "metrics",
        "state": state,
        "version": version,
        "name": exploring.metric_name(version),
        "crumbs": _crumbs(request, version),
        "profiles": profiles,
        "rows": rows,
        "totals": totals,
        "everything": everything,
        "n_unjudged": everything.n - everything.n_judged,
        "few_each": max((row.tally.n for row in rows), default=0),
        "pooled": metric_page.pooled_sentence(pooled, len(rows)) if not state.models else "",
        "rubric": metric_page.rubric(version),
        "scenarios": metric_page.scenario_rows(request, version, verdicts, profiles),
        "judge": judge,
        "judge_note": judge_note,
        "status": metric_list.STATUSES[version.status],
        "status_class": metric_list.STATUS_CLASSES[version.status],
        "measured_in": [] if rows else _measured_in(request, state, version),
        "places": _places(request, state, version, is_measured=bool(verdicts)),
        "history": metric_history.history(request, version, public),
        "newest": newest if newest.number > version.number else None,
        "newest_path": other_page(request, exploring.metric_path(version), version=str(newest.number)),
        "licence": version.licence or version.metric.benchmark.licence,
        "content_notices": notices_of(version),
    }
    return render(request, "labels/metric.html", context)


def _asked_version(request: HttpRequest, state: State) -> int | None:
    """The number in `version`; what is no number is ignored with a notice."""
    text = request.GET.get("version", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        state.notices.append(f"“{text}” is not known here as version, so it was ignored.")
        return None
    return int(text) if text else None


@require_safe
def scenario(request: HttpRequest, benchmark: str, metric: str, number: int) -> HttpResponse:
    """One scenario of a metric: who asked for what, and what each model made of it."""
    state = read_state(request)
    public = _public_versions(state, benchmark, metric)
    version, verdicts = _measured(state, public, _asked_version(request, state))
    bases = BaseScenario.objects.filter(metric_version=version, number=number)
    base = bases.prefetch_related(Prefetch("variants", Scenario.objects.select_related("profile"))).first()
    metric_path = other_page(request, exploring.metric_path(version), version=request.GET.get("version"))
    if base is None:
        raise PageNotFound(f"This metric has no scenario {number}.", [(exploring.metric_name(version), metric_path)])
    of_this = [verdict for verdict in verdicts if verdict.conversation.scenario.base_id == base.pk]
    profiles = _profiles(state, of_this)
    rows, totals, everything = metric_page.model_rows(request, version, _shown(state, of_this), profiles)
    variants = list(base.variants.all())
    context = {
        "section": "metrics",
        "state": state,
        "version": version,
        "base": base,
        "variants": variants,
        "title": base.title or next((one.title for one in variants if one.title), "") or f"Scenario {number}",
        "name": exploring.metric_name(version),
        "metric_path": metric_path,
        "crumbs": [
            *_crumbs(request, version)[:-1],
            (exploring.metric_name(version), metric_path),
            (f"Scenario {number}", ""),
        ],
        "profiles": profiles,
        "rows": rows,
        "totals": totals,
        "everything": everything,
    }
    return render(request, "labels/scenario.html", context)


def _public_versions(state: State, benchmark: str, metric: str) -> list[MetricVersion]:
    """The versions that were ever shown, by number; raises PageNotFound with near names where there is none."""
    # PostgreSQL refuses the zero character even in a question.
    slug = f"{benchmark}/{metric}".replace("\x00", "")
    versions = queries.shown_versions(slug, state.release)
    if not versions:
        slugs = list(Metric.objects.filter(versions__is_published=True).values_list("slug", flat=True).distinct())
        near = get_close_matches(slug, slugs, n=5, cutoff=0.5)
        links = [(name, reverse("labels:metric", args=name.split("/", 1))) for name in near]
        raise PageNotFound(f"There is no metric named “{slug}”.", links or [("All metrics", reverse("labels:metrics"))])
    return versions


def _measured(state: State, versions: list[MetricVersion], number: int | None) -> tuple[MetricVersion, list[Verdict]]:
    """The metric version of the page and its verdicts in the shown release; raises PageNotFound for no such number."""
    version = queries.chosen_version(versions, number)
    if version is None:
        metric = versions[-1]
        page = [(exploring.metric_name(metric), exploring.metric_path(metric))]
        raise PageNotFound(f"The metric “{metric.metric.slug}” has no version {number}.", page)
    return version, list(queries.verdicts_of(state.release, version)) if state.release else []


def _measured_in(request: HttpRequest, state: State, version: MetricVersion) -> list[tuple[str, str]]:
    """Other releases that have this metric version, each with the metric's address there."""
    others = Release.objects.filter(metric_versions=version).only("slug", "title", "status")
    path = exploring.metric_path(version)
    return [(one.title, other_page(request, path, release=one.slug)) for one in others if one != state.release]


def _profiles(state: State, verdicts: list[Verdict]) -> list[Profile]:
    """The profiles that have verdicts here, in their order; the chosen one alone where one is chosen."""
    found = {verdict.profile_id: verdict.profile for verdict in verdicts}
    profiles = sorted(found.values(), key=lambda profile: (profile.order, profile.slug))
    return [profile for profile in profiles if state.profile in ("both", profile.slug)]


def _shown(state: State, verdicts: list[Verdict]) -> list[Verdict]:
    chosen = {model.pk for model in state.models}
    return [verdict for verdict in verdicts if not chosen or verdict.model_id in chosen]


def _crumbs(request: HttpRequest, version: MetricVersion) -> list[tuple[str, str]]:
    benchmark = version.metric.benchmark
    return [
        ("Metrics", other_page(request, reverse("labels:metrics"))),
        (benchmark.name, other_page(request, reverse("labels:benchmark", args=[benchmark.slug]))),
        (exploring.metric_name(version), ""),
    ]


def _places(request: HttpRequest, state: State, version: MetricVersion, *, is_measured: bool) -> list[tuple[str, str]]:
    """The subareas the metric stands in, each with its address in Explore where the release has one."""
    if state.release is None or not is_measured:
        return [(subarea.plain_name or subarea.name, "") for subarea in queries.places_today(version)]
    tree: list[Place] = queries.places(state.release)
    return [
        (part.name, other_page(request, reverse("labels:explore-subarea", args=[area.slug, part.slug])))
        for area in tree
        for part in area.parts
        if version.metric.slug in part.metrics
    ]
