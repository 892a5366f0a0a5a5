"""A reviewer's yes, no or conflict to an invitation, and giving a review back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from impactbench.common.errors import DomainError
from submissions.models import Assignment, Submission
from submissions.models.reviews import AssignmentState as AState
from submissions.selectors.queue import invitation_of
from submissions.selectors.reviews import assignment_of
from submissions.selectors.visible import submission_for
from submissions.services import assignments
from submissions.standing import Standing

NO_CONFLICT, CONFLICT = "no", "yes"
_TOLD = {
    AState.ACCEPTED: "Thank you. The submission is open to you now.",
    AState.DECLINED: "You declined. The editors have been told.",
    AState.CONFLICT: "Thank you for saying so. It stays closed to you, and an editor decides.",
}


def invitation(request: HttpRequest, submission: Submission, *, problem: str = "") -> HttpResponse:
    """What somebody sees who was asked and has not answered: a title, one sentence, and the question."""
    asked = invitation_of(request.user, submission)
    context = {
        "item": asked,
        "can_answer": asked is not None and assignments.is_answerable(asked.assignment),
        "problem": problem,
        "conflict": request.POST.get("conflict", ""),
        "reason": request.POST.get("reason", ""),
        "section": "review",
    }
    return render(request, "submissions/reviewers/invitation.html", context, status=422 if problem else 200)


@require_POST
def answer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take the answer to an invitation; the text opens only after a plain no to the question of conflict."""
    submission, standing = submission_for(request.user, public_id, Standing.INVITED, Standing.REVIEWER)
    asked = Assignment.objects.filter(round__submission=submission, person=request.user.pk).order_by("-round__number")
    assignment = get_object_or_404(asked.select_related("round__submission")[:1])
    try:
        answered = _answered(request, assignment)
    except DomainError as error:
        if standing is Standing.INVITED:
            return invitation(request, submission, problem=str(error))
        messages.error(request, str(error))
        return redirect("submissions:review", public_id)
    messages.success(request, _TOLD[AState(answered.state)])
    is_open = answered.state == AState.ACCEPTED
    return redirect("submissions:review", public_id) if is_open else redirect("submissions:review-queue")


def _answered(request: HttpRequest, assignment: Assignment) -> Assignment:
    """Who says that there may be a conflict has one, whichever button was pressed."""
    reason, conflict = request.POST.get("reason", ""), request.POST.get("conflict", "")
    if conflict == CONFLICT:
        return assignments.declare_conflict(assignment, actor=request.user, reason=reason)
    if request.POST.get("a") == "decline":
        return assignments.decline(assignment, actor=request.user, reason=reason)
    return assignments.accept(assignment, actor=request.user, no_conflict=conflict == NO_CONFLICT)


@require_http_methods(["GET", "POST"])
def hand_back(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask once, then give an open review back, or say that there is a conflict after all."""
    submission, _ = submission_for(request.user, public_id, Standing.REVIEWER)
    assignment = assignment_of(request.user, submission)
    problem, reason = "", request.POST.get("reason", "")
    if request.method == "POST" and assignment is not None:
        is_conflict = request.POST.get("a") == "conflict"
        give = assignments.declare_conflict if is_conflict else assignments.hand_back
        try:
            give(assignment, actor=request.user, reason=reason)
        except DomainError as error:
            problem = str(error)
        else:
            messages.success(request, "You handed it back. The editors have been told.")
            return redirect("submissions:review-queue")
    context = {"submission": submission, "assignment": assignment, "problem": problem, "reason": reason}
    context |= {"section": "review"}
    return render(request, "submissions/reviewers/hand_back.html", context, status=409 if problem else 200)
