"""The page that a co-author's invitation opens: reading it changes nothing, one button says yes or no."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from impactbench.accounts.naming import display_label
from impactbench.common.errors import DomainError
from submissions.services import coauthors
from submissions.views.authors.access import for_people, to_page


@for_people("GET", "HEAD", "POST")
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm or decline. A link that is used, void or invented leads to the same 404."""
    row = coauthors.invitation(token)
    if row is None:
        raise Http404
    if request.method != "POST":
        submission = row.submission
        context = {
            "section": "submissions",
            "row": row,
            "title": submission.title,
            "inviter": display_label(submission.owner),
        }
        return render(request, "submissions/authors/invitation.html", context)
    try:
        if request.POST.get("answer") == "yes":
            confirmed = coauthors.confirm(token, person=request.user)
            messages.success(request, "You are a co-author now.")
            return to_page(confirmed.submission)
        if request.POST.get("answer") == "no":
            coauthors.decline(token, person=request.user)
            messages.success(request, "You declined. Nobody is told why.")
    except DomainError as refusal:
        messages.error(request, str(refusal))
    return redirect("submissions:submissions")
