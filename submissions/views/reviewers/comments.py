"""Takes comments on a submission from all who take part in its discussion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from impactbench.common.errors import DomainError
from submissions.models import Submission
from submissions.naming import Viewing
from submissions.selectors.comments import discussion_for
from submissions.selectors.visible import submission_for
from submissions.services.discussion import TooManyComments, post_to
from submissions.standing import Standing


@require_POST
def review_comments(request: HttpRequest, public_id: str) -> HttpResponse:
    """A comment of a reviewer or an editor."""
    submission, _ = submission_for(request.user, public_id, Standing.REVIEWER, Standing.EDITOR)
    return _post(request, submission, "submissions:review")


@require_POST
def own_comments(request: HttpRequest, public_id: str) -> HttpResponse:
    """A comment of an author."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    return _post(request, submission, "submissions:submission")


def _post(request: HttpRequest, submission: Submission, page: str) -> HttpResponse:
    text, choice = request.POST.get("text", ""), request.POST.get("audience", "")
    address = reverse(page, args=[submission.public_id])
    try:
        post_to(submission, writer=request.user, text=text, choice=choice)
    except DomainError as error:
        discussion = discussion_for(Viewing(request.user, submission), text=text, chosen=choice, problem=str(error))
        context = {"submission": submission, "discussion": discussion, "back": address, "section": "review"}
        status = 429 if isinstance(error, TooManyComments) else 422
        return render(request, "submissions/discussion.html", context, status=status)
    messages.success(request, "Your comment is posted.")
    return redirect(f"{address}#talk")
