"""/studies/new/: choose a kind, see what would be drawn and what is short, and keep it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.services.studies import designing
from evaluation.studies.draws.drawn import Drawn
from evaluation.studies.kinds import KINDS
from evaluation.studies.presets import PRESETS
from evaluation.study_form import StudyForm
from evaluation.views.studies.access import need_manager
from impactbench.common.errors import DomainError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    """Without a kind: the nine kinds. With one: the form, its draw, and the button that keeps it."""
    need_manager(request)
    kind = request.GET.get("kind", "")
    if kind not in KINDS:
        context = {"section": "studies", "kinds": KINDS.values(), "presets": PRESETS}
        status = 422 if request.method == "POST" else 200
        return render(request, "evaluation/studies/kinds.html", context, status=status)
    form = StudyForm(kind, request.POST if request.method == "POST" else None)
    drawn = None
    if form.is_bound and form.is_valid():
        try:
            if request.POST.get("a") == "keep":
                study = designing.design_study(form.wish(), form.words(), access=form.access(), actor=request.user)
                asked = "Nobody has been asked yet." if form.kind.by_people else "No model has been called yet."
                messages.success(request, f"The study is designed. {asked}")
                return redirect("evaluation:study", study.public_id)
            drawn = designing.drawn_for(form.wish())
        except DomainError as problem:
            form.add_error(None, str(problem))
    return _page(request, form, drawn)


def _page(request: HttpRequest, form: StudyForm, drawn: Drawn | None) -> HttpResponse:
    context = {
        "section": "studies",
        "form": form,
        "kind": form.kind,
        "preset": PRESETS.get(form.preset),
        "drawn": drawn,
        "n_drawn": len(drawn.items) if drawn else 0,
    }
    return render(request, "evaluation/studies/new.html", context, status=422 if form.errors else 200)
