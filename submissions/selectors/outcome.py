"""What became of a submission: the letters that went out, and its public pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from submissions.models import ApprovedMetric, Decision, Submission
from submissions.states import State


@dataclass(frozen=True, slots=True)
class PublicPage:
    """The page of a metric that came out of a submission."""

    name: str
    path: str


def letters_of(submission: Submission) -> list[Decision]:
    """The decisions whose letters went out, newest first."""
    sent = submission.decisions.filter(state=Decision.State.SENT)
    return list(sent.select_related("round__revision").order_by("-sent_at", "-pk"))


def public_pages(submission: Submission) -> list[PublicPage]:
    """The pages of the metrics that were published from it, one for each question; [] before."""
    if submission.state not in (State.PUBLISHED, State.RETIRED):
        return []
    newest = submission.revisions.order_by("-number").first()
    made = ApprovedMetric.objects.filter(revision=newest, metric_version__is_published=True)
    rows = made.select_related("metric_version__metric__benchmark").order_by("question")
    return [_page(row) for row in rows]


def _page(row: ApprovedMetric) -> PublicPage:
    metric = row.metric_version.metric
    path = reverse("labels:metric", args=[metric.benchmark.slug, metric.local_id])
    return PublicPage(row.metric_version.name, path)
