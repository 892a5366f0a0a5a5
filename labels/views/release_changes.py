"""Two releases compared: what changed in what was measured and how, and in the results that both have."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Release
from evaluation.selectors.release_changes import ReleaseChange, release_change
from evaluation.statistics.report.tables import ReportTable
from evaluation.statistics.report.writing import document, header, values
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.report_page import sections
from labels.views.reports import known_release
from labels.views.siblings import rows_answer

CHANGES_KEPT = 8


@require_safe
def change(request: HttpRequest, release: str, older: str) -> HttpResponse:
    """What is new, gone and worded otherwise, and how pass rates changed over what both measured alike."""
    newer, before = _two(release, older)
    state = read_state(request)
    found = _change(before, newer)
    marked = [row for row in found.table.rows if row["flag"]]
    context: dict[str, Any] = {
        "section": "",
        "state": State(release=newer, newest=state.newest, release_is_pinned=True),
        "release": newer,
        "older": before,
        "change": found,
        "points": settings.REGRESSION_POINTS,
        "lists": _lists(found),
        "sections": sections([_part(found.table, marked, "marked", "Marked changes"), found.table])
        if marked
        else sections([found.table] if found.table.rows else []),
        "n_marked": len(marked),
        "files": [
            ("CSV", reverse("labels:release-change-csv", args=[newer.slug, before.slug])),
            ("XLSX", reverse("labels:release-change-xlsx", args=[newer.slug, before.slug])),
            ("JSON", reverse("labels:release-change-json", args=[newer.slug, before.slug])),
        ],
        "crumbs": [
            (_("Releases"), reverse("labels:releases")),
            (newer.title, reverse("labels:release", args=[newer.slug])),
            (_("Since %(title)s") % {"title": before.title}, ""),
        ],
    }
    return render(request, "labels/release_change.html", context)


@require_safe
def change_json(_request: HttpRequest, release: str, older: str) -> HttpResponse:
    """The same as one document."""
    newer, before = _two(release, older)
    found = _change(before, newer)
    plain = {name: value for name, value in asdict(found).items() if name != "table"}
    return JsonResponse({"release": newer.slug, "older": before.slug, **plain, "change": document(found.table)})


@require_safe
def change_csv(request: HttpRequest, release: str, older: str) -> HttpResponseBase:
    """The changes of pass rates as a table."""
    newer, before = _two(release, older)
    table = _change(before, newer).table
    about = [(_("Releases"), f"{before.slug}, {newer.slug}"), (_("Read first"), table.sentence)]
    return rows_answer(request, f"{newer.slug}-since-{before.slug}", header(table), values(table), about)


def _two(release: str, older: str) -> tuple[Release, Release]:
    """Both releases. Raises PageNotFound where one is unknown, or where both are the same."""
    if release == older:
        shown = known_release(release)
        link = (shown.title, reverse("labels:release", args=[shown.slug]))
        raise PageNotFound(_("A release cannot be compared with itself."), [link])
    return known_release(release), known_release(older)


def _change(older: Release, newer: Release) -> ReleaseChange:
    return _kept((older.pk, older.content_hash), (newer.pk, newer.content_hash), settings.REGRESSION_POINTS)


@lru_cache(maxsize=CHANGES_KEPT)
def _kept(older: tuple[int, str], newer: tuple[int, str], _points: float) -> ReleaseChange:
    found = {
        release.pk: release
        for release in Release.objects.select_related("taxonomy", "judge__language_model", "user_simulator").filter(
            pk__in=[older[0], newer[0]]
        )
    }
    return release_change(found[older[0]], found[newer[0]])


def _part(table: ReportTable, rows: list[dict[str, Any]], slug: str, title: str) -> ReportTable:
    return ReportTable(slug, title, table.sentence, table.columns, rows)


def _lists(found: ReleaseChange) -> list[tuple[str, list[tuple[str, str]]]]:
    """The lists of things that only one of the releases has, empty ones left out."""
    named = [
        (_("Metrics that are new"), found.metrics_added),
        (_("Metrics that are gone"), found.metrics_gone),
        (_("Metrics worded otherwise, so not compared"), found.metrics_reworded),
        (_("Models that are new"), found.models_added),
        (_("Models that are gone"), found.models_gone),
    ]
    return [(title, members) for title, members in named if members]
