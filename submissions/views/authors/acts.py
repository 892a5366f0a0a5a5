"""What an author can do besides writing: answer, withdraw, discard, ask for time, choose who may see where it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Call, Submission
from submissions.services import calls
from submissions.services.answers import answer
from submissions.services.sending import Incomplete, resend, withdraw
from submissions.services.transitions import NotAllowed, WrongState, take
from submissions.states import Action
from submissions.views.authors.access import authors_only, to_form, to_page
from submissions.views.authors.form_page import form_page
from submissions.views.authors.pages import status_page

_ANSWER = re.compile(r"request-(\d{1,3})-(answer|done)")


@authors_only("POST")
def answers(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Save every answer on the page; `action=resend` then sends the next version. A script gets a fragment."""
    refusal = _save_answers(request, submission)
    if request.headers.get("HX-Request"):
        status = 409 if refusal else 200
        return render(request, "submissions/authors/_answered.html", {"message": refusal}, status=status)
    if refusal:
        messages.error(request, refusal)
        return to_page(submission)
    if request.POST.get("action") != "resend":
        messages.success(request, "Saved. You can send it later.")
        return to_page(submission)
    return _resend(request, submission)


def _resend(request: HttpRequest, submission: Submission) -> HttpResponse:
    try:
        revision = resend(submission, actor=request.user)
    except Incomplete as refused:
        if all(problem.field == "requests" for problem in refused.problems):
            return status_page(request, submission, notes={"problems": refused.problems}, status=422)
        rest = [problem for problem in refused.problems if problem.field != "requests"]
        return form_page(request, submission, submission.draft, refused=rest, status=422)
    except (NotAllowed, WrongState) as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    return redirect("submissions:sent", public_id=submission.public_id, number=revision.number)


@transaction.atomic
def _save_answers(request: HttpRequest, submission: Submission) -> str:
    """What keeps the answers from being saved, in words; '' when they are."""
    numbers = {int(match[1]) for name in request.POST if (match := _ANSWER.fullmatch(name))}
    try:
        for number in sorted(numbers):
            text = request.POST.get(f"request-{number}-answer", "")
            done = request.POST.get(f"request-{number}-done", "")
            answer(submission, number, text=text, done=done, actor=request.user)
    except (NotAllowed, WrongState) as refusal:
        return str(refusal)
    return ""


@authors_only("GET", "HEAD", "POST")
def withdraw_page(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Ask once, with a reason; then withdraw."""
    context: dict[str, Any] = {"section": "submissions", "submission": submission}
    if request.method != "POST":
        return render(request, "submissions/authors/withdraw.html", context)
    try:
        withdraw(submission, actor=request.user, reason=request.POST.get("reason", ""))
    except (NotAllowed, WrongState) as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    except DomainError as refusal:
        context["error"] = str(refusal)
        return render(request, "submissions/authors/withdraw.html", context, status=422)
    messages.success(request, "Withdrawn. Its text and its history stay here.")
    return to_page(submission)


@authors_only("POST")
def discard(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Put a draft away; it can be restored."""
    if _try(request, lambda: take(Action.DISCARD, submission, actor=request.user)):
        messages.success(request, "Discarded. You find it under Finished, and can restore it there.")
    return redirect("submissions:submissions")


@authors_only("POST")
def restore(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Take a discarded draft out again."""
    if _try(request, lambda: take(Action.RESTORE, submission, actor=request.user)):
        messages.success(request, "Restored.")
        return to_form(submission)
    return redirect("submissions:submissions")


@authors_only("GET", "HEAD", "POST")
def more_time(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Ask the editors for more time, or for an exception after a call has closed."""
    context: dict[str, Any] = {
        "section": "submissions",
        "submission": submission,
        "window": calls.window_of(submission),
        "waiting": submission.extensions.filter(answered_at=None).first(),
        "reason": request.POST.get("reason", ""),
    }
    if request.method != "POST":
        return render(request, "submissions/authors/more_time.html", context)
    try:
        calls.ask_for_time(submission, actor=request.user, reason=context["reason"])
    except (NotAllowed, WrongState) as refusal:
        messages.error(request, str(refusal))
        return to_page(submission)
    except DomainError as refusal:
        context["error"] = str(refusal)
        return render(request, "submissions/authors/more_time.html", context, status=422)
    messages.success(request, "The editors were asked. You see their answer on this page.")
    return to_page(submission)


@authors_only("POST")
def public_status(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Let anybody see where it is, or nobody any more; its owner's choice alone."""
    wanted = request.POST.get("public") == "yes"
    if submission.owner_id != request.user.pk:
        messages.error(request, "Only its owner decides who may see where it is.")
    elif wanted != submission.is_status_public:
        with transaction.atomic():
            Submission.objects.filter(pk=submission.pk).update(is_status_public=wanted)
            record(actor=request.user, action="status-made-public" if wanted else "status-hidden", target=submission)
        messages.success(request, "Anybody may see where it is now." if wanted else "Nobody else sees where it is now.")
    return to_page(submission)


@authors_only("POST")
def change_call(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Put a draft into another call that is open."""
    call = Call.objects.filter(slug=request.POST.get("call", "").replace("\x00", "")).first()
    if call is None:
        messages.error(request, "This call is not open. Choose another one.")
    elif _try(request, lambda: calls.move_to(submission, call, actor=request.user)):
        messages.success(request, f"The draft belongs to “{call.title}” now.")
    return to_form(submission, "send")


def _try(request: HttpRequest, act: Callable[[], Any]) -> bool:
    try:
        act()
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return False
    return True
