"""Which metrics an editor handles: none that they wrote, or have a conflict with."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from evaluation.models import Benchmark, Metric
from submissions.selectors.visible import kept_from


def handled_metrics(user: Any) -> QuerySet[Metric]:
    """The metrics whose public page this person may add to or change; none for whoever is no editor."""
    if not (user.is_authenticated and user.is_active and user.has_role("editor")):
        return Metric.objects.none()
    kept = Metric.objects.filter(versions__approved_from__revision__submission__in=kept_from(user))
    return Metric.objects.exclude(pk__in=kept.values("pk"))


def handled_benchmarks(user: Any) -> QuerySet[Benchmark]:
    """The benchmarks all of whose metrics the person handles."""
    handled = handled_metrics(user)
    with_metrics = Benchmark.objects.filter(metrics__in=handled)
    others = Metric.objects.exclude(pk__in=handled.values("pk"))
    return with_metrics.exclude(metrics__in=others).distinct()


def may_handle(user: Any, metric: Metric) -> bool:
    """Whether this person handles the metric."""
    return handled_metrics(user).filter(pk=metric.pk).exists()
