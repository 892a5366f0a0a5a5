"""The mails about a submission that a person got, to be read here as well."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from impactbench.common import mail
from impactbench.common.errors import DomainError
from impactbench.common.models import OutgoingMail
from submissions.models import Submission
from submissions.views.authors.access import authors_only


def letters_to(user: Any, submission: Submission) -> QuerySet[OutgoingMail]:
    """The mails about this submission that went to this person, newest first; never anybody else's."""
    return mail.mails_about(submission).filter(recipient=user, state=OutgoingMail.State.SENT).exclude(text="")


def n_letters_to(user: Any, submission: Submission) -> int:
    """How many there are."""
    return letters_to(user, submission).count()


@authors_only("GET", "HEAD", "POST")
def mails(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The mails in full; POST with `mail` sends one of them once more."""
    found = letters_to(request.user, submission)
    if request.method != "POST":
        context = {"section": "submissions", "submission": submission, "mails": found}
        return render(request, "submissions/authors/mails.html", context)
    key = request.POST.get("mail", "")
    chosen = found.filter(pk=int(key)).first() if key.isascii() and key.isdigit() and len(key) < 15 else None
    if chosen is None:
        raise Http404
    try:
        mail.resend(chosen, request.user)
        messages.success(request, "It is on its way to you once more.")
    except DomainError as refusal:
        messages.error(request, str(refusal))
    return redirect("submissions:mails", public_id=submission.public_id)
