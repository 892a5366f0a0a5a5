"""Small things an editor does to one submission: conflicts, more time, reopening."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from impactbench.common.errors import DomainError
from submissions.models import Conflict, Submission
from submissions.selectors.extensions import answerable_extensions
from submissions.selectors.visible import for_editing
from submissions.services import conflicts, extensions
from submissions.services.reopening import reopen as reopen_it
from submissions.views.editors.access import handled, need_editor
from submissions.views.editors.fields import end_of_day


@require_POST
def add_conflict(request: HttpRequest, public_id: str) -> HttpResponse:
    """Shut somebody out."""
    submission = handled(request, public_id)
    email, reason = request.POST.get("email", ""), request.POST.get("reason", "")

    def act() -> str:
        conflicts.note(submission, email=email, reason=reason, actor=request.user)
        return "Noted. They see nothing of it from now on."

    return _acted(request, submission, act, "#conflicts")


@require_POST
def clear_conflict(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Let somebody in again."""
    submission = handled(request, public_id)
    conflict = Conflict.objects.filter(pk=pk, submission=submission).first()
    if conflict is None:
        raise Http404

    def act() -> str:
        conflicts.clear(conflict, actor=request.user)
        return "Cleared."

    return _acted(request, submission, act, "#conflicts")


@require_POST
def answer_extension(request: HttpRequest, pk: int) -> HttpResponse:
    """Give more time, or say that there is none."""
    need_editor(request)
    extension = answerable_extensions(request.user).filter(pk=pk).first()
    if extension is None:
        raise Http404
    until = end_of_day(request.POST.get("until"))

    def act() -> str:
        if request.POST.get("a") == "refuse":
            extensions.answer(extension, until=None, actor=request.user)
            return "Refused. The author is told."
        if until is None:
            raise DomainError("Choose until when.")
        extensions.answer(extension, until=until, actor=request.user)
        return "More time is given. The author is told."

    return _acted(request, extension.submission, act, "#time")


@require_POST
def reopen(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take it back into review, with a reason for the audit trail."""
    submission = handled(request, public_id)

    def act() -> str:
        reopen_it(submission, actor=request.user, reason=request.POST.get("reason", ""))
        return "Reopened. The authors are told; it needs reviewers now."

    return _acted(request, submission, act, "")


def _acted(request: HttpRequest, submission: Submission, act: Callable[[], str], anchor: str) -> HttpResponse:
    try:
        with transaction.atomic():
            messages.success(request, act())
    except DomainError as error:
        messages.error(request, str(error))
    if not for_editing(request.user).filter(pk=submission.pk).exists():
        return redirect("submissions:review-queue")
    response = redirect("submissions:review", submission.public_id)
    response["Location"] += anchor
    return response
