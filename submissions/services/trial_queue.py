"""Trials on their way: money set aside, workers told, and those that no worker has ended."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions import trial_words
from submissions.models import Trial, TrialModel
from submissions.services import trial_budget

TASK = "submissions.run_trial"
UNDER_WAY = (Trial.State.WAITING, Trial.State.RUNNING)
# A worker that has been silent for so long is gone; a trial that nobody takes up for so long is given up.
SILENCE = timedelta(seconds=90)
WAIT = timedelta(minutes=15)
_LOCK = "trials"


def under_way(kind: str, **subject: Any) -> Trial | None:
    """The trial of this kind that is under way for `submission=` or `generated=`; one without a worker is failed.

    Until the transaction ends nobody else reserves between the look at the budgets and the reservation.
    """
    locking.wait_for(_LOCK)
    found = Trial.objects.filter(kind=kind, state__in=UNDER_WAY, **subject).first()
    if found is not None and is_stale(found):
        _give_up(found)
        return None
    return found


def reserve(trial: Trial, models: dict[str, TrialModel], most_usd: Decimal, *, actor: Any, otherwise: str) -> Trial:
    """Save a new trial, set `most_usd` aside for it, and tell the workers once the transaction is through.

    Raises DomainError when a budget of today is used up; `otherwise` says how to go on without a trial.
    """
    _check_budget(most_usd, actor, otherwise)
    trial.asked_by, trial.reserved_usd = actor, most_usd
    trial.asked_models = {part: _named(row) for part, row in models.items()}
    trial.save(force_insert=True)
    details = {"kind": trial.kind, "trial": trial.pk, "reserved_usd": str(most_usd)}
    record(actor=actor, action="trial-asked", target=_subject(trial), details=details)
    transaction.on_commit(lambda: _tell_workers(trial.pk), robust=True)
    return trial


def is_stale(trial: Trial) -> bool:
    """Whether nobody works on it any more although it is under way."""
    now = timezone.now()
    if trial.state == Trial.State.RUNNING:
        return (trial.heard_at or trial.asked_at) < now - SILENCE
    return trial.state == Trial.State.WAITING and trial.asked_at < now - WAIT


def end_stale_trials() -> int:
    """Fail every trial that nobody works on any more, and say how many. Safe to run at any time."""
    return sum(_give_up(trial) for trial in Trial.objects.filter(state__in=UNDER_WAY) if is_stale(trial))


def _give_up(trial: Trial) -> int:
    """Fail a stale trial, unless a worker was quicker. What never began has cost nothing; else nobody knows."""
    began = trial.state == Trial.State.RUNNING
    unchanged: QuerySet[Trial] = Trial.objects.filter(Q(pk=trial.pk, state=trial.state, heard_at=trial.heard_at))
    return unchanged.update(
        state=Trial.State.FAILED,
        trouble=trial_words.WORKER_GONE if began else trial_words.NO_WORKER,
        cost_usd=None if began else Decimal(0),
        finished_at=timezone.now(),
    )


def _check_budget(most_usd: Decimal, actor: Any, otherwise: str) -> None:
    left = trial_budget.left_today(actor)
    back = f"It is back tomorrow at 00:00 UTC. {otherwise}"
    if not left.trials:
        raise DomainError(f"You have made {trial_budget.MOST_TRIALS_A_DAY} trials today. More can be made tomorrow.")
    if most_usd > left.person_usd:
        raise DomainError(
            f"This trial may cost up to {trial_words.cents(most_usd)}, and you have "
            f"{trial_words.cents(left.person_usd, down=True)} left of today’s budget. {back}"
        )
    if most_usd > left.site_usd:
        raise DomainError(f"What this site may spend on trials today is used up. {back}")


def _subject(trial: Trial) -> Model:
    found = trial.submission or trial.generated
    assert found is not None  # a constraint of the database
    return found


def _named(row: TrialModel) -> dict[str, str]:
    model = row.language_model
    return {"slug": model.slug, "name": model.name, "provider": model.provider}


def _tell_workers(trial: int) -> None:
    # SECURITY: the message names the trial and nothing of it; keys and addresses are the worker's own.
    seconds = int(WAIT.total_seconds())
    current_app.send_task(TASK, kwargs={"trial": trial}, queue=settings.PORTAL_QUEUE, expires=seconds)
