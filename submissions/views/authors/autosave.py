"""Answers a script that saves while one writes: fragments only, never a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Submission
from submissions.saving_limit import TOO_OFTEN, saves_too_often
from submissions.services.drafts import StaleDraft, save_draft
from submissions.services.transitions import NotAllowed, WrongState
from submissions.states import EDITABLE
from submissions.views.authors import posted
from submissions.views.authors.access import authors_only
from submissions.views.authors.advising import neighbours_of
from submissions.views.authors.conflict import posted_version
from submissions.views.authors.fields import source_lines
from submissions.views.authors.form_page import advice_context


@authors_only("GET", "HEAD", "POST")
def save(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Save the form; the answer holds its state, the new version, and what changed beside the fields.

    GET gives the state alone, with a fresh token for a page whose person signed in again meanwhile.
    """
    if request.method != "POST":
        return _state(request, submission)
    if submission.state not in EDITABLE:
        return _refused(request, submission, "This was sent from another window. The text cannot be changed now.", 409)
    if saves_too_often(request.user):
        return _refused(request, submission, TOO_OFTEN, 429)
    content = posted.read(request.POST, submission.draft)
    try:
        saved = save_draft(submission, content, version=posted_version(request), actor=request.user)
    except StaleDraft as stale:
        context = {"submission": stale.submission, "saved_at": stale.submission.saved_at}
        return render(request, "submissions/authors/_stale.html", context, status=409)
    except (NotAllowed, WrongState) as refusal:
        return _refused(request, submission, str(refusal), 409)
    cut = posted.cut_fields(request.POST)
    content = saved.draft
    lines = {"sources": source_lines(content)}
    context = {**advice_context(request, saved, content), "cut": cut, "lines": lines}
    return render(request, "submissions/authors/_saved.html", context)


@authors_only("POST")
def near(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The public metrics nearest to what stands in the fields now; saves nothing."""
    content = posted.read(request.POST, submission.draft)
    context = {"submission": submission, "near": neighbours_of(submission, content)}
    return render(request, "submissions/authors/_near.html", context)


@authors_only("POST")
def lint(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The linter's advice on what stands in the fields now; saves nothing."""
    content = posted.read(request.POST, submission.draft)
    context = advice_context(request, submission, content)
    return render(request, "submissions/authors/_lint.html", context)


def _state(request: HttpRequest, submission: Submission) -> HttpResponse:
    return render(request, "submissions/authors/_state.html", {"submission": submission})


def _refused(request: HttpRequest, submission: Submission, message: str, status: int) -> HttpResponse:
    context = {"submission": submission, "message": message}
    return render(request, "submissions/authors/_not_saved.html", context, status=status)
