"""Everything that an editor sees of one submission."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Submission


def page(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The page of one submission, for an editor who may handle it."""
    return render(request, "submissions/editors/overview.html", {"section": "review", "submission": submission})
