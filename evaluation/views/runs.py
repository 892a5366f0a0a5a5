"""/runs/<slug>/: operators watch runs, pause them and let them go on."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from evaluation.forms import BudgetForm, ConcurrencyForm, ScheduleForm
from evaluation.models import Run, Study
from evaluation.permissions import for_operators
from evaluation.plans import MOST_IN_FLIGHT
from evaluation.release_form import ReleaseForm
from evaluation.selectors.failures import failures_of
from evaluation.selectors.progress import (
    counted_usd,
    held_again_after_a_leak,
    rewritten_lines,
    run_progress,
    speaking_of_a_test,
    spending,
    unverified_quotes,
)
from evaluation.selectors.runs import events_of, visible_runs
from evaluation.services import running, trying_again
from evaluation.services.judging import judges_of
from evaluation.services.plan_resolving import missing_keys
from evaluation.services.running import BUDGET_REACHED
from evaluation.services.worker_reports import calls_now, known_keys, workers_now
from evaluation.views.lane_words import other_lanes, target_lanes
from evaluation.views.release_part import release_part
from evaluation.views.run_words import Pace, events_in_words, failures_in_words, state_in_words
from evaluation.views.schedule_part import schedule_part
from impactbench.common.errors import DomainError


@never_cache
@require_safe
@for_operators
def run_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One run: how far it is, what it cost, what did not work, what can be done."""
    return render(request, "evaluation/run.html", run_context(_run(request, slug)))


@never_cache
@require_safe
@for_operators
def run_progress_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The parts of the page that are fetched again while the run runs."""
    return render(request, "evaluation/_run_live.html", {**run_context(_run(request, slug)), "is_fetched": True})


@require_POST
@for_operators
def start(request: HttpRequest, slug: str) -> HttpResponse:
    return _act(request, slug, "start")


@require_POST
@for_operators
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    return _act(request, slug, "pause")


@require_POST
@for_operators
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    return _act(request, slug, "resume")


@require_POST
@for_operators
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    return _act(request, slug, "cancel")


@require_POST
@for_operators
def change_budget(request: HttpRequest, slug: str) -> HttpResponse:
    """Sets another budget; a paused run goes on only when it is resumed."""
    run = _run(request, slug)
    form = BudgetForm(request.POST)
    if form.is_valid():
        running.raise_budget(run, form.cleaned_data["budget_usd"], actor=request.user)
        messages.success(request, "The budget was changed. Workers take it over within seconds.")
    else:
        messages.error(request, "The budget must be a number of US dollars from 0, or empty for no limit.")
    return redirect("evaluation:run", slug)


@require_POST
@for_operators
def change_concurrency(request: HttpRequest, slug: str) -> HttpResponse:
    """Sets how many conversations each worker process holds at once."""
    run = _run(request, slug)
    form = ConcurrencyForm(request.POST)
    if form.is_valid():
        running.change_concurrency(run, form.cleaned_data["concurrency"], actor=request.user)
        messages.success(request, "The conversations in flight were changed. Workers take it over within seconds.")
    else:
        messages.error(request, f"Conversations in flight must be a whole number from 1 to {MOST_IN_FLIGHT:,}.")
    return redirect("evaluation:run", slug)


@require_POST
@for_operators
def try_again(request: HttpRequest, slug: str) -> HttpResponse:
    """Tries the failed ones of one reason again, or all that may pass."""
    run = _run(request, slug)
    reason = request.POST.get("reason")
    try:
        tried = trying_again.try_again(run, reasons=[reason] if reason else None, actor=request.user)
    except DomainError as problem:
        messages.error(request, f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
        return redirect("evaluation:run", slug)
    run.refresh_from_db(fields=["state"])
    if run.state == Run.State.RUNNING:
        running.enqueue(run.pk)
    waits = " once the run goes on" if run.state == Run.State.PAUSED else ""
    messages.success(
        request, f"{tried.conversations} conversations and {tried.judgments} judgments are tried again{waits}."
    )
    return redirect("evaluation:run", slug)


def _run(request: HttpRequest, slug: str) -> Run:
    return get_object_or_404(visible_runs(request.user), slug=slug)


def _act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    run = _run(request, slug)
    try:
        if action == "pause":
            running.pause(run, actor=request.user)
        elif action == "cancel":
            running.cancel(run, actor=request.user)
        elif action == "start":
            _check_keys(run)
            running.start(run, actor=request.user)
            running.enqueue(run.pk)
        else:
            _check_keys(run)
            running.resume(run, actor=request.user)
            running.enqueue(run.pk)
        messages.success(request, f"{run.slug}: {state_in_words(run).text.lower()}.")
    except DomainError as problem:
        messages.error(request, f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
    return redirect("evaluation:run", slug)


def _check_keys(run: Run) -> None:
    """Raises DomainError where a model needs a key that no standing worker has; without word from them, they may."""
    known = known_keys()
    judges = (model for _, model, _ in judges_of(run))
    models = [model for model in (run.user_simulator, *run.targets.all(), *judges) if model is not None]
    missing = missing_keys(dict.fromkeys(models), known) if known is not None else []
    if missing:
        raise DomainError(f"{'; '.join(missing)}; set it where workers run, start them again, then try once more")


def run_context(
    run: Run, release_form: ReleaseForm | None = None, schedule_form: ScheduleForm | None = None
) -> dict[str, Any]:
    """All that the page of a run shows; the forms are those that were sent and refused."""
    progress = run_progress(run)
    unverified, quotes = unverified_quotes(run)
    failures = failures_of(run)
    calls, spent = calls_now(run.pk), spending(run)
    is_live = run.state == Run.State.RUNNING
    return {
        "run": run,
        "study": Study.objects.filter(conditions__run=run).first(),
        "state_words": state_in_words(run),
        "progress": progress,
        "pace": Pace(run, progress),
        "target_lanes": target_lanes(run, calls),
        "other_lanes": other_lanes(run, progress, spent, calls),
        "now": timezone.now(),
        "failures": failures_in_words(failures),
        "n_failures": f"{sum(failure.count for failure in failures):,}",
        "spending": spent,
        "unverified": unverified,
        "quotes": quotes,
        "realism": rewritten_lines(run) if run.spec.get("realism_check") else None,
        "aware": speaking_of_a_test(run),
        "leaked_once": held_again_after_a_leak(run),
        "events": events_in_words(events_of(run)),
        "can_start": running.can("start", run),
        "can_try_again": run.state not in (Run.State.CREATED, Run.State.CANCELLED),
        "can_pause": running.can("pause", run),
        "can_resume": running.can("resume", run),
        "can_cancel": running.can("cancel", run),
        "is_live": is_live,
        "n_workers": max(progress.workers, workers_now(run.pk)) if is_live else 0,
        "some_rest": is_live and any(now.is_resting for now in calls.values()),
        "counted_usd": counted_usd(run) if run.budget_usd is not None and progress.cost_usd is None else None,
        "waits_for_money": run.state == Run.State.PAUSED and run.state_reason == BUDGET_REACHED,
        "concurrency": run.concurrency or run.spec.get("concurrency"),
        "most_in_flight": MOST_IN_FLIGHT,
        **release_part(run, release_form),
        **schedule_part(run, schedule_form),
    }
