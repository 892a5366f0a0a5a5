"""Metrics and benchmarks with their content notices, for the editors who set them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from evaluation.content_notices import VOCABULARY, in_order
from evaluation.models import Benchmark, Metric, MetricVersion
from evaluation.services.content_notices import changes_of
from impactbench.accounts.naming import display_label
from submissions.selectors.handled_metrics import handled_metrics
from submissions.selectors.neighbours import public_versions

WITH, WITHOUT = "with", "without"
ONLY = {WITH: "With notices", WITHOUT: "Without notices"}


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the history."""

    at: datetime
    who: str
    before: str
    after: str
    reason: str


def metrics_to_mark(user: Any, *, q: str = "", bench: str = "", only: str = "") -> QuerySet[MetricVersion]:
    """The newest public wording of each metric that this editor handles, by benchmark and name, filtered."""
    handled = handled_metrics(user).values("pk")
    newest = public_versions().filter(metric__in=handled).order_by("metric_id", "-number").distinct("metric_id")
    found = MetricVersion.objects.filter(pk__in=newest.values("pk")).select_related("metric__benchmark")
    if words := q.replace("\x00", "").strip():
        in_text = Q(name__icontains=words) | Q(plain_name__icontains=words) | Q(metric__slug__icontains=words)
        found = found.filter(in_text | Q(definition__icontains=words) | Q(plain_definition__icontains=words))
    if bench:
        found = found.filter(metric__benchmark__slug=bench.replace("\x00", ""))
    unmarked = Q(content_notices=[]) & Q(metric__benchmark__content_notices=[])
    if only == WITH:
        found = found.exclude(unmarked)
    if only == WITHOUT:
        found = found.filter(unmarked)
    return found.order_by(F("metric__benchmark__name"), "name", "pk")


def public_benchmarks(user: Any) -> QuerySet[Benchmark]:
    """The benchmarks of `metrics_to_mark`, by name."""
    shown = metrics_to_mark(user).order_by().values("metric__benchmark")
    return Benchmark.objects.filter(pk__in=shown).order_by("name", "slug")


def in_own_words(notices: list[str]) -> list[str]:
    """Those that are no words of the vocabulary."""
    return [notice for notice in in_order(notices) if notice not in VOCABULARY]


def history_of(row: Metric | Benchmark) -> list[Change]:
    """How its notices came to be, newest first."""
    return [
        Change(
            event.at,
            display_label(event.actor) if event.actor is not None else event.actor_name or "ImpactBench",
            ", ".join(event.details["before"]) or "none",
            ", ".join(event.details["after"]) or "none",
            event.details["reason"],
        )
        for event in changes_of(row)
    ]
