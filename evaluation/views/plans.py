"""The list of runs and the form that plans one: /runs/."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.forms import BooleanField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.importers.formats.problems import FileProblem
from evaluation.permissions import for_operators
from evaluation.plan_form import PlanForm
from evaluation.selectors.runs import runs_with_counts
from evaluation.services import planning, running
from evaluation.services.estimating import estimate
from evaluation.services.plan_resolving import ResolvedPlan
from evaluation.services.worker_reports import known_keys
from evaluation.views.estimate_words import estimate_in_words
from evaluation.views.run_words import run_rows
from evaluation.views.schedule_part import schedule_rows
from impactbench.common.errors import DomainError

_BOXES = ("benchmarks", "judge", "targets", "profiles")
_MORE = ("samples", "judge_repeats", "seed", "unpriced_call_usd")


@dataclass(frozen=True, slots=True)
class Box:
    """One box to tick, and why it cannot be ticked now."""

    value: str
    name: str
    is_chosen: bool
    trouble: str


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def runs(request: HttpRequest) -> HttpResponse:
    """All runs of our own, newest first, and the form: estimate a plan, save it, or start it."""
    keys = known_keys()
    if request.method != "POST":
        return _page(request, PlanForm(known_keys=keys), None)
    form = PlanForm(request.POST, known_keys=keys)
    resolved = _resolved(form) if form.is_valid() else None
    if resolved is not None and request.POST.get("action") in ("start", "save"):
        slug = _make(request, form, resolved)
        if slug:
            # A fragment of its own, or the browser would keep that of the form.
            return redirect(f"{reverse('evaluation:run', args=[slug])}#main")
    return _page(request, form, resolved)


def _resolved(form: PlanForm) -> ResolvedPlan | None:
    try:
        resolved = planning.resolve_plan(form.plan())
        planning.refuse_taken_name(resolved)
    except FileProblem as problem:
        form.refuse(problem.line, problem.message)
        return None
    except DomainError as problem:
        form.add_error("name", f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
        return None
    return resolved


def _make(request: HttpRequest, form: PlanForm, resolved: ResolvedPlan) -> str:
    """The name of the run, started where that was asked for; empty where it cannot be, with the reason at the form."""
    is_started = request.POST["action"] == "start"
    try:
        run, is_new = planning.freeze(resolved, actor=request.user)
        if is_started:
            running.start(run, actor=request.user)
            running.enqueue(run.pk)
    except DomainError as problem:
        form.add_error("name", f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
        return ""
    known = "" if is_new else " It was known already: this is the same plan."
    messages.success(request, f"{run.slug} was {'started' if is_started else 'saved'}.{known}")
    return run.slug


def _page(request: HttpRequest, form: PlanForm, resolved: ResolvedPlan | None) -> HttpResponse:
    shown = None if resolved is None or form.errors else estimate_in_words(estimate(resolved), resolved)
    budget = form.cleaned_data.get("budget_usd") if shown else None
    context = {
        "rows": run_rows(runs_with_counts(request.user)),
        "schedules": schedule_rows(),
        "form": form,
        "boxes": {name: _boxes(form, name) for name in _BOXES},
        "switches": [form[name] for name, field in form.fields.items() if isinstance(field, BooleanField)],
        "more_is_open": any(name in form.errors for name in _MORE),
        "keys_are_unknown": known_keys() is None,
        "estimate": shown,
        "budget": None if budget is None else f"${budget:,.2f}",
    }
    return render(request, "evaluation/runs.html", context, status=422 if form.errors else 200)


def _boxes(form: PlanForm, name: str) -> list[Box]:
    chosen: Any = form[name].value() or []
    are_models = name in ("judge", "targets")
    return [
        Box(str(value), str(label), value in chosen, form.key_trouble(str(value)) if are_models else "")
        for value, label in form.fields[name].choices  # type: ignore[attr-defined]
    ]
