"""The states of a run and the only ways between them."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evaluation.engine.prompt_files import prompt_hashes
from evaluation.models import Conversation, Run, StudyCondition
from evaluation.services.lease_owners import is_known_dead
from evaluation.services.worker_reports import forget_calls, note_asked
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

State = Run.State
TASK = "evaluation.run"
# Why workers pause a run whose money is gone; its page then says what to do.
BUDGET_REACHED = "the next calls might pass the budget"
_MESSAGE_SECONDS = 24 * 3600

# From which states an action leads to which. Every change is one compare-and-swap by `_move`.
TRANSITIONS: dict[str, tuple[tuple[State, ...], State]] = {
    "start": ((State.CREATED,), State.RUNNING),
    "pause": ((State.CREATED, State.RUNNING), State.PAUSED),
    "resume": ((State.PAUSED,), State.RUNNING),
    "cancel": ((State.CREATED, State.RUNNING, State.PAUSED), State.CANCELLED),
    "finish": ((State.RUNNING,), State.FINISHED),
    "judge-again": ((State.FINISHED,), State.RUNNING),
}
OVER = (State.FINISHED, State.CANCELLED)
# What is left to hold or to judge.
LEFT = (Conversation.State.PENDING, Conversation.State.RUNNING, Conversation.State.FINISHED)


def can(action: str, run: Run) -> bool:
    """Whether `action` is open to the run in its present state."""
    return run.kind == Run.Kind.EVALUATION and State(run.state) in TRANSITIONS[action][0]


def start(run: Run, *, actor: Any = None) -> Run:
    """Sets a new or paused run going. A running run is left as it is, a finished one too.

    Frees the leases of workers that are known to be dead, so that work goes on at once. Raises DomainError for a
    cancelled run, for prompts that are no longer those of the run, and for a run that is held to one that is not over.
    """
    run.refresh_from_db(fields=["state", "state_reason"])
    if run.state == State.CANCELLED:
        raise DomainError(f"run {run.slug} was cancelled; give the plan another name to run it anew")
    if run.state != State.FINISHED:
        _check_prompts(run)
        _check_other_is_over(run)
        free_dead_leases(run)
    for action in ("start", "resume"):
        if can(action, run):
            forget_calls(run.pk)
            _move(run, action, actor=actor)
            break
    return run


def resume(run: Run, *, actor: Any = None) -> Run:
    """Lets a paused run go on. Raises DomainError when it is not paused."""
    if can("resume", run):
        forget_calls(run.pk)
        _check_prompts(run)
        _check_other_is_over(run)
        free_dead_leases(run)
    return _move(run, "resume", actor=actor)


def pause(run: Run, *, actor: Any = None, reason: str = "") -> Run:
    """Stops a run after the turns under way; workers hand its conversations back within seconds."""
    return _move(run, "pause", actor=actor, reason=reason)


def cancel(run: Run, *, actor: Any = None) -> Run:
    """Stops a run for good; what was said and judged stays."""
    return _move(run, "cancel", actor=actor)


def judge_again(run: Run, *, actor: Any = None) -> Run:
    """Sets a finished run going once more, for judgments that were added to it (`services.judging`)."""
    return _move(run, "judge-again", actor=actor)


def finish_if_done(run: Run) -> bool:
    """Finishes a running run that has nothing left to hold or to judge; True when this call did it."""
    try:
        with transaction.atomic():
            # Whoever has something tried again waits for us here, or we for them.
            Run.objects.select_for_update().get(pk=run.pk)
            if Conversation.objects.filter(run=run, is_judged=False, state__in=LEFT).exists():
                return False
            _move(run, "finish")
    except DomainError:  # another worker was quicker, or somebody paused the run
        return False
    return True


def raise_budget(run: Run, budget_usd: Any, *, actor: Any = None) -> Run:
    """Sets another budget (None = no limit); the frozen plan keeps the one it was made with."""
    before = run.budget_usd
    Run.objects.filter(pk=run.pk).update(budget_usd=budget_usd)
    run.budget_usd = budget_usd
    details = {"before": _text(before), "after": _text(budget_usd)}
    record(actor=actor, action="run-budget-changed", target=run, details=details)
    return run


def change_concurrency(run: Run, concurrency: int, *, actor: Any = None) -> Run:
    """Sets how many conversations each worker process holds at once; workers take it over within seconds.

    Where it is fewer than before, those under way end first.
    """
    before = run.concurrency or run.spec.get("concurrency")
    Run.objects.filter(pk=run.pk).update(concurrency=concurrency)
    run.concurrency = concurrency
    if before != concurrency:
        details = {"before": before, "after": concurrency}
        record(actor=actor, action="run-concurrency-changed", target=run, details=details)
    return run


def free_dead_leases(run: Run) -> int:
    """Ends the leases of workers on this machine that are gone; other leases run out by themselves."""
    held = Conversation.objects.filter(run=run).exclude(lease_owner="")
    owners = held.order_by().values_list("lease_owner", flat=True).distinct()
    dead = [owner for owner in owners if is_known_dead(owner)]
    return held.filter(lease_owner__in=dead).update(lease_owner="", lease_until=None) if dead else 0


def enqueue(run_id: int, *, queue: str | None = None, runners: int | None = None) -> None:
    """Asks workers for the run, once the transaction is committed: those of `queue`, by default the standing ones.

    Workers of that queue ask again when too few work on it (`services.abandoned_runs`).
    """
    queue = queue or settings.CELERY_TASK_DEFAULT_QUEUE
    runners = settings.RUNNERS_PER_RUN if runners is None else runners
    Run.objects.filter(pk=run_id).update(queue=queue, runners=runners)
    transaction.on_commit(lambda: ask_for_runners(run_id, runners, queue=queue))


def ask_for_runners(run_id: int, n: int, *, queue: str, seconds: int = _MESSAGE_SECONDS) -> None:
    """Sends `n` messages, each for one slice of work; one that nobody took within `seconds` is dropped."""
    for _ in range(n):
        current_app.send_task(TASK, kwargs={"run": run_id}, queue=queue, expires=seconds)
    note_asked(run_id)


@transaction.atomic
def _move(run: Run, action: str, *, actor: Any = None, reason: str = "") -> Run:
    """One compare-and-swap of the state, with its audit event. Raises DomainError when the state forbids it."""
    sources, state = TRANSITIONS[action]
    changes: dict[str, Any] = {"state": state, "state_reason": reason[:500]}
    if action in ("finish", "cancel"):
        changes["finished_at"] = timezone.now()
    if action == "judge-again":
        changes["finished_at"] = None
    if action in ("start", "resume") and run.started_at is None:
        changes["started_at"] = timezone.now()
    moved = Run.objects.filter(pk=run.pk, kind=Run.Kind.EVALUATION, state__in=sources).update(**changes)
    if not moved:
        run.refresh_from_db(fields=["state"])
        raise DomainError(f"run {run.slug} is {run.state}: {_WORDS[action]} is not possible")
    for name, value in changes.items():
        setattr(run, name, value)
    record(actor=actor, action=f"run-{action}", target=run, details={"reason": reason} if reason else {})
    return run


_WORDS = {
    "start": "starting it",
    "pause": "pausing it",
    "resume": "resuming it",
    "cancel": "cancelling it",
    "finish": "finishing it",
    "judge-again": "judging it again",
}


def _check_prompts(run: Run) -> None:
    """A run is held under one set of prompts; only judging again may use newer ones (a judge of its own then)."""
    unheld = Conversation.objects.filter(
        run=run, state__in=(Conversation.State.PENDING, Conversation.State.RUNNING)
    ).exists()
    now = prompt_hashes(realism=bool(run.spec.get("realism_check")))
    before = run.prompt_hashes or {}
    if unheld and before != now:
        changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        raise DomainError(
            f"run {run.slug} began under other prompts ({', '.join(changed[:5])}); give the plan another name"
        )


def _check_other_is_over(run: Run) -> None:
    """In a study a run may take messages over from another one, which has to have said them."""
    held = StudyCondition.objects.filter(run=run, held_to__isnull=False).select_related("held_to__run").first()
    if held is not None and held.held_to is not None and held.held_to.run.state not in OVER:
        raise DomainError(f"run {run.slug} takes messages over from run {held.held_to.run.slug}, which is not over yet")


def _text(usd: Any) -> str | None:
    return None if usd is None else str(usd)
