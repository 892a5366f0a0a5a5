"""What readers said about metrics: shown ones for everybody, all of them for the editors who may decide."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from evaluation.models import Metric, MetricVersion
from submissions.models import Submission, Suggestion
from submissions.selectors.neighbours import public_versions
from submissions.selectors.visible import kept_from


def public_metric(benchmark: str, local_id: str) -> MetricVersion:
    """The newest wording of a metric that anybody may read. Raises Http404."""
    found = public_versions().filter(metric__slug=f"{benchmark}/{local_id}".replace("\x00", ""))
    version = found.select_related("metric__benchmark").order_by("-number").first()
    if version is None:
        raise Http404
    return version


def shown_about(metric: Metric) -> QuerySet[Suggestion]:
    """What an editor let everybody read, oldest first."""
    return Suggestion.objects.filter(metric=metric, state=Suggestion.State.SHOWN)


def for_moderating(user: Any) -> QuerySet[Suggestion]:
    """What this editor decides about: nothing on metrics that they wrote or have a conflict with."""
    if not (user.is_authenticated and user.is_active and user.has_role("editor")):
        return Suggestion.objects.none()
    kept = Metric.objects.filter(versions__approved_from__revision__submission__in=kept_from(user))
    return Suggestion.objects.exclude(metric__in=kept.values("pk")).select_related("metric")


def shown_on(submission: Submission) -> QuerySet[Suggestion]:
    """What everybody reads about the metrics that came of a submission, newest first."""
    metrics = Metric.objects.filter(versions__approved_from__revision__submission=submission)
    shown = Suggestion.objects.filter(metric__in=metrics.values("pk"), state=Suggestion.State.SHOWN)
    return shown.select_related("metric").order_by("-written_at")
