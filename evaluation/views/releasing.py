"""/runs/<slug>/release/: operators publish a finished run, and see how far that is."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.models import ReleaseRequest, Run, StudyCondition
from evaluation.permissions import for_operators
from evaluation.release_form import ReleaseForm
from evaluation.selectors.release_partners import is_publishable, partners_of
from evaluation.selectors.runs import visible_runs
from evaluation.services import release_requests
from evaluation.views.release_part import release_part
from evaluation.views.runs import run_context
from impactbench.common.errors import DomainError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def release(request: HttpRequest, slug: str) -> HttpResponse:
    """Has a run published; asked for, the part of its page that tells how far that is."""
    run = get_object_or_404(visible_runs(request.user), slug=slug)
    if request.method != "POST":
        return render(request, "evaluation/_run_release.html", {"run": run, **release_part(run)})
    page = f"{reverse('evaluation:run', args=[run.slug])}#run-release"
    if not is_publishable(run):
        is_of_study = StudyCondition.objects.filter(run=run).exists()
        why = "it is run for a study" if is_of_study else "only finished or cancelled runs can be published"
        messages.error(request, f"{run.slug} is {run.state}: {why}.")
        return redirect(page)
    form = ReleaseForm(run, partners_of(run), request.POST)
    if form.is_valid() and _ask(request, form):
        return redirect(page)
    return render(request, "evaluation/run.html", run_context(run, form), status=422)


def _ask(request: HttpRequest, form: ReleaseForm) -> bool:
    """False where it is refused, with the reason at the form."""
    slug = form.cleaned_data["slug"]
    if _is_asked_for(form.run, slug):  # the button was pressed twice
        return True
    try:
        release_requests.ask(
            actor=request.user,
            slug=slug,
            title=form.cleaned_data["title"],
            runs=form.chosen_runs(),
            judge=form.chosen_judge(),
            taxonomy=form.cleaned_data.get("taxonomy", ""),
            despite_open_studies=form.cleaned_data.get("despite_open_studies", False),
        )
    except DomainError as problem:
        form.refuse(problem)
        return False
    return True


def _is_asked_for(run: Run, slug: str) -> bool:
    return ReleaseRequest.objects.filter(runs=run, slug=slug, state=ReleaseRequest.State.WAITING).exists()
