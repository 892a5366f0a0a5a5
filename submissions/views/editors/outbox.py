"""Letters on their way: decisions that wait, and mails that were not sent yet."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.models import OutgoingMail
from submissions.selectors import outbox as selector


def page(request: HttpRequest) -> HttpResponse:
    """The tab."""
    context = {
        "section": "review",
        "tab": "outbox",
        "decisions": selector.waiting_decisions(request.user),
        "mails": selector.waiting_mails(request.user),
    }
    return render(request, "submissions/editors/outbox.html", context)


@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Hold one mail, let it go, cancel it, or send it once more."""
    chosen = selector.mail_of(request.user, pk)
    if chosen is None:
        raise Http404
    try:
        told = _act(request, chosen.mail)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, told)
    if request.POST.get("back"):
        return redirect(reverse("submissions:review", args=[chosen.submission.public_id]) + "#mails")
    return redirect(reverse("submissions:review-queue") + "?tab=outbox")


def _act(request: HttpRequest, chosen: OutgoingMail) -> str:
    match request.POST.get("a"):
        case "hold":
            mail.hold(chosen)
            return "The mail is held."
        case "release":
            mail.release(chosen)
            return "The mail goes out."
        case "resend":
            mail.resend(chosen, request.user)
            return "The mail is sent once more."
        case "cancel":
            mail.cancel_one(chosen)
            record(actor=request.user, action="mail-cancelled", target=chosen)
            return "The mail is cancelled."
    raise DomainError("Choose what to do with the mail.")
