"""Addresses of the portal as links that are read outside of a request: in letters."""

from django.conf import settings
from django.urls import reverse

from evaluation.models import MetricVersion
from submissions.models import Submission


def page_of(submission: Submission) -> str:
    """The author's page of a submission, with the site's public address."""
    return _full(reverse("submissions:submission", args=[submission.public_id]))


def review_of(submission: Submission) -> str:
    """The reviewers' and editors' page of a submission, with the site's public address."""
    return _full(reverse("submissions:review", args=[submission.public_id]))


def invitation_of(token: str) -> str:
    """Where a co-author says yes or no, with the site's public address; the token is good once."""
    return _full(reverse("submissions:invitation", args=[token]))


def metric_page(version: MetricVersion) -> str:
    """The public page of a metric, with the site's public address."""
    return _full(f"/metrics/{version.metric.slug}/")


def _full(path: str) -> str:
    return (settings.PUBLIC_URL or settings.LOCAL_URL).rstrip("/") + path
