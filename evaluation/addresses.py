"""Addresses of studies and runs as links that are read outside of a request: in letters."""

from django.conf import settings
from django.urls import reverse

from evaluation.models import Run, Study


def study_page(study: Study) -> str:
    """The page of a study, with the site's public address."""
    return _full(reverse("evaluation:study", args=[study.public_id]))


def run_page(run: Run) -> str:
    """The page of a run, for operators."""
    return _full(reverse("evaluation:run", args=[run.slug]))


def study_invitation(token: str) -> str:
    """Where somebody says whether to rate in a study; the token is good once."""
    return _full(reverse("evaluation:study-invitation", args=[token]))


def _full(path: str) -> str:
    return (settings.PUBLIC_URL or settings.LOCAL_URL).rstrip("/") + path
