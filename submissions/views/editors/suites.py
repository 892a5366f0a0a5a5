"""What each suite covers and what it lacks, for the editors who fill the gaps."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.models import Suite
from evaluation.selectors.suite_coverage import coverage_of
from submissions.views.editors.access import need_editor

_SECTION = {"section": "review", "tab": "suites"}


@never_cache
@require_safe
def suites(request: HttpRequest) -> HttpResponse:
    """All suites, the newest version of each first."""
    need_editor(request)
    return render(request, "submissions/generated/suites.html", {**_SECTION, "suites": all_suites()})


def all_suites() -> Any:
    """All suites with `n_metrics` and `n_scenarios`, the newest version of each first."""
    found = Suite.objects.annotate(
        n_metrics=Count("metric_versions", distinct=True), n_scenarios=Count("scenarios", distinct=True)
    )
    return found.order_by("slug", "-version")


@never_cache
@require_safe
def suite(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One suite: polarities by part of life, profiles, and what is missing."""
    need_editor(request)
    found = get_object_or_404(Suite, slug=slug, version=version)
    context = {**_SECTION, "suite": found, "covered": coverage_of(found)}
    return render(request, "submissions/generated/suite.html", context)
