"""The pages on which a second editor publishes, and editors retire and reinstate."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.engine.judge import compose_rubric
from evaluation.models import MetricVersion
from evaluation.services.briefs import metric_brief
from impactbench.common.errors import DomainError
from submissions.models import Submission
from submissions.naming import display_name
from submissions.selectors.visible import submission_for
from submissions.services import publishing
from submissions.services.transitions import approver_id, may_take
from submissions.standing import Standing
from submissions.states import STATE_NAMES, Action, State


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def publish_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the public will see, who approved it, and the button of the second editor."""
    submission, _ = submission_for(request.user, public_id, Standing.EDITOR)
    if submission.state not in (State.APPROVED, State.PUBLISHED, State.RETIRED):
        raise Http404
    return _publish(request, submission)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def retire_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a published metric out of use, or put a retired one back."""
    submission, _ = submission_for(request.user, public_id, Standing.EDITOR)
    if submission.state not in (State.PUBLISHED, State.RETIRED):
        raise Http404
    return _retire(request, submission)


# Who publishes types the password again; the page itself can be read without.
@reauthentication_required(allow_get=True)
def _publish(request: HttpRequest, submission: Submission) -> HttpResponse:
    problem = ""
    if request.method == "POST":
        try:
            publishing.publish(submission, actor=request.user)
        except DomainError as error:
            problem = str(error)
            submission.refresh_from_db()
        else:
            messages.success(request, "It is published. Its authors are told.")
            return redirect("submissions:publish", submission.public_id)
    approved_by = _approver(submission)
    context = {
        "section": "review",
        "submission": submission,
        "state_name": STATE_NAMES[State(submission.state)],
        "problem": problem,
        "metrics": _previews(submission),
        "approved_by": display_name(approved_by, request.user, submission) if approved_by else "",
        "is_approver": approver_id(submission) == request.user.pk,
        "may_publish": may_take(Action.PUBLISH, submission, request.user),
        "may_retire": submission.state in (State.PUBLISHED, State.RETIRED),
    }
    return render(request, "submissions/publication/publish.html", context, status=409 if problem else 200)


@reauthentication_required(allow_get=True)
def _retire(request: HttpRequest, submission: Submission) -> HttpResponse:
    problem, reason = "", request.POST.get("reason", "")
    if request.method == "POST":
        try:
            if request.POST.get("a") == "reinstate":
                publishing.reinstate(submission, actor=request.user)
            else:
                publishing.retire(submission, actor=request.user, reason=reason)
        except DomainError as error:
            problem = str(error)
            submission.refresh_from_db()
        else:
            messages.success(request, "Done. Its authors are told.")
            return redirect("submissions:publish", submission.public_id)
    context = {
        "section": "review",
        "submission": submission,
        "is_retired": submission.state == State.RETIRED,
        "problem": problem,
        "reason": reason,
        "metrics": publishing.versions_of(submission),
    }
    return render(request, "submissions/publication/retire.html", context, status=422 if problem else 200)


def _previews(submission: Submission) -> list[tuple[MetricVersion, str]]:
    """The metric versions, each with its rubric as the judge reads it."""
    return [(version, compose_rubric(metric_brief(version))) for version in publishing.versions_of(submission)]


def _approver(submission: Submission) -> object:
    decision = submission.decisions.filter(kind="approve", state="sent").order_by("-sent_at").first()
    return decision.decided_by if decision else None
