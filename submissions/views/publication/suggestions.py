"""What readers said: the editors' queue, and what the authors of a metric read of it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from impactbench.common.errors import DomainError
from submissions.models import Suggestion
from submissions.selectors.visible import submission_for
from submissions.selectors.voices import for_moderating, shown_on
from submissions.services.suggestions import LONGEST, decide
from submissions.standing import Standing
from submissions.views.public.voices import with_labels

ON_A_PAGE = 20
FILTERS = {
    Suggestion.State.WAITING: "Waiting",
    Suggestion.State.SHOWN: "Shown",
    Suggestion.State.DECLINED: "Kept aside",
}


@login_required
@never_cache
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for an editor, or what was decided; by `state`."""
    if not (request.user.is_authenticated and request.user.has_role("editor")):
        raise Http404
    return _queue(request)


def _queue(request: HttpRequest, *, problem: str = "", at: int = 0, reply: str = "") -> HttpResponse:
    asked = request.GET.get("state", "")
    state = asked if asked in FILTERS else Suggestion.State.WAITING.value
    found = for_moderating(request.user)
    if at:
        found = found.filter(pk=at)
    else:
        found = found.filter(state=state).order_by(
            "written_at" if state == Suggestion.State.WAITING else "-moderated_at"
        )
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "review",
        "page": page,
        "rows": with_labels(page.object_list),
        "filters": FILTERS,
        "state": state,
        "problem": problem,
        "reply": reply,
        "longest": LONGEST,
    }
    return render(request, "submissions/publication/suggestions.html", context, status=422 if problem else 200)


@login_required
@never_cache
@require_POST
def decide_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one suggestion or keep it aside, with a reply."""
    suggestion = for_moderating(request.user).filter(pk=pk).first()
    if suggestion is None:
        raise Http404
    reply = request.POST.get("reply", "")
    try:
        decide(suggestion, state=request.POST.get("state", ""), reply=reply, actor=request.user)
    except DomainError as error:
        return _queue(request, problem=str(error), at=pk, reply=reply)
    messages.success(request, "Done.")
    return redirect("submissions:suggestions")


@login_required
@never_cache
@require_safe
def of_authors(request: HttpRequest, public_id: str) -> HttpResponse:
    """What everybody reads about the metrics of a submission, for its authors, who answer through the editors."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    context = {"section": "submissions", "submission": submission, "rows": with_labels(shown_on(submission))}
    return render(request, "submissions/publication/voices.html", context)
