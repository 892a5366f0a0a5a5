"""Addresses of the portal as links that are read outside of a request: in letters."""

from django.conf import settings
from django.urls import reverse

from submissions.models import Submission


def page_of(submission: Submission) -> str:
    """The author's page of a submission, with the site's public address."""
    return _full(reverse("submissions:submission", args=[submission.public_id]))


def review_of(submission: Submission) -> str:
    """The reviewers' and editors' page of a submission, with the site's public address."""
    return _full(reverse("submissions:review", args=[submission.public_id]))


def _full(path: str) -> str:
    return (settings.PUBLIC_URL or "http://localhost:8000").rstrip("/") + path
