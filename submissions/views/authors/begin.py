"""The page that a draft is begun on; everybody may read what it takes."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from impactbench.accounts.views.refusals import is_part_of_a_page, signed_out
from impactbench.common.errors import DomainError
from submissions.models import Call, Submission
from submissions.services.calls import next_call, open_calls
from submissions.services.drafts import open_draft
from submissions.states import State
from submissions.views.authors.access import person, to_page

# A second click within so many drafts finds the empty one that the first has opened.
_MOST_SHOWN = 5


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """GET: what it takes, and the calls that are open. POST: a draft, for people who are signed in."""
    if request.method == "POST":
        response = _begin(request) if request.user.is_authenticated else _sign_in(request)
    else:
        response = _page(request)
    add_never_cache_headers(response)
    return response


def _page(request: HttpRequest, status: int = 200) -> HttpResponse:
    drafts = Submission.objects.none()
    if request.user.is_authenticated:
        drafts = Submission.objects.filter(owner=request.user, state=State.DRAFT).order_by("-saved_at")[:_MOST_SHOWN]
    context = {
        "section": "submit",
        "calls": open_calls(),
        "next_call": next_call(),
        "has_calls": Call.objects.exists(),
        "drafts": drafts,
    }
    return render(request, "submissions/authors/submit.html", context, status=status)


def _begin(request: HttpRequest) -> HttpResponse:
    call = open_calls().filter(slug=request.POST.get("call", "")).first() or open_calls().first()
    owner = person(request)
    untouched = Submission.objects.filter(
        owner=owner, state=State.DRAFT, version=1, call=call, clone_of=None, improves=None
    )
    empty = next((draft for draft in untouched if draft.draft == type(draft.draft)()), None)
    if empty is not None:
        return to_page(empty)
    try:
        return to_page(open_draft(owner, call=call))
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return redirect("submissions:submissions")


def _sign_in(request: HttpRequest) -> HttpResponse:
    if is_part_of_a_page(request):
        return signed_out(request)
    return redirect("/accounts/login/?next=/submit/")
