"""/runs/<slug>/schedule/: operators have a run held again by the clock, or no more."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from evaluation.forms import ScheduleForm
from evaluation.permissions import for_operators
from evaluation.selectors.runs import visible_runs
from evaluation.services import schedules
from evaluation.views.runs import run_context
from evaluation.views.schedule_part import how_often, moment
from impactbench.common.errors import DomainError


@require_POST
@for_operators
def set_schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Sets or changes the schedule of a finished run; a form that cannot be used comes back with what was typed."""
    run = get_object_or_404(visible_runs(request.user), slug=slug)
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        return render(request, "evaluation/run.html", run_context(run, schedule_form=form), status=422)
    wish = form.cleaned_data
    try:
        made = schedules.set_schedule(
            run, every=wish["every"], unit=wish["unit"], budget_usd=wish["budget_usd"], begins_at=form.begins_at(),
            actor=request.user,
        )  # fmt: skip
    except DomainError as problem:
        messages.error(request, f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
        return redirect("evaluation:run", slug)
    messages.success(request, f"Held again every {how_often(made)}, first on {moment(made.next_at)}.")
    return redirect("evaluation:run", slug)


@require_POST
@for_operators
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    run = get_object_or_404(visible_runs(request.user), slug=slug)
    schedules.stop(run, actor=request.user)
    messages.success(request, "The clock does not hold this run again. A round under way goes on.")
    return redirect("evaluation:run", slug)
