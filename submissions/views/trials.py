"""/submissions/<id>/trials/: authors ask for a trial of the saved draft, and watch it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from impactbench.common.errors import DomainError
from submissions.models import Submission, Trial
from submissions.selectors.trials import trial_panel, trial_shown
from submissions.selectors.visible import submission_for
from submissions.services.trials import ask_for_conversation_trial, ask_for_examples_trial
from submissions.standing import Standing

_ASK = {Trial.Kind.EXAMPLES: ask_for_examples_trial, Trial.Kind.CONVERSATION: ask_for_conversation_trial}


@login_required
@require_POST
def ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for a trial of a `kind` and lead to its page; the text is the draft as it is saved."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    kind = request.POST.get("kind", "")
    if kind not in _ASK:
        raise Http404
    try:
        trial = _ASK[Trial.Kind(kind)](submission, actor=request.user)
    except DomainError as problem:
        messages.error(request, str(problem))
        return redirect(form_address(submission))
    return redirect("submissions:trial", public_id, trial.pk)


@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def trial(request: HttpRequest, public_id: str, key: int) -> HttpResponse:
    """One trial: its part of the form when htmx asks, else a page with a link to look again."""
    submission, _ = submission_for(request.user, public_id, Standing.AUTHOR)
    row = get_object_or_404(Trial.objects.select_related("submission"), pk=key, submission=submission)
    shown = trial_shown(row, request.user)
    context = {"submission": submission, "trial": shown, "form_address": form_address(submission)}
    if request.headers.get("HX-Request"):
        return render(request, "submissions/trials/_trial.html", context)
    panel = trial_panel(submission, request.user)
    context |= {"section": "submissions", "part": panel[row.kind], "panel": panel}
    return render(request, "submissions/trials/trial.html", context)


def form_address(submission: Submission) -> str:
    """Where the author goes on: part 4 of the form."""
    return f"{reverse('submissions:edit', args=[submission.public_id])}#try"
