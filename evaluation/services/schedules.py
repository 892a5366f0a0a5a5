"""Runs that are held again by the clock: set, stopped, and worked off without doing a date twice."""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from evaluation.models import Run, RunSchedule, ScheduledRound
from evaluation.models.schedule import ScheduleUnit as Unit
from evaluation.services import repeating, running
from evaluation.services.schedule_letters import tell_of_trouble
from impactbench.common.audit import record
from impactbench.common.errors import DomainError, UnusableInput

_DAYS = {Unit.DAYS: 1, Unit.WEEKS: 7}
_A_MONTH = timedelta(days=30)
_GOING = (Run.State.CREATED, Run.State.RUNNING)


@transaction.atomic
def set_schedule(
    run: Run, *, every: int, unit: str, budget_usd: Decimal, begins_at: datetime | None = None, actor: Any
) -> RunSchedule:
    """Have a finished run held anew every so often, the first time at `begins_at`, or after one distance from now.

    Setting it once more changes it, and lets one go on that had stopped. Raises UnusableInput for a first date that
    is over, DomainError for a run that cannot be repeated or that is a round itself.
    """
    now = timezone.now()
    repeating.refuse_unrepeatable(run)
    if ScheduledRound.objects.filter(run=run).exists():
        raise DomainError(f"run {run.slug} is a round of another run's schedule; change it there")
    if begins_at is not None and begins_at <= now:
        raise UnusableInput("the first date is over; choose a later one")
    begins_at = begins_at or date_of(now, every, Unit(unit), 1)
    values = {
        "every": every, "unit": unit, "budget_usd": budget_usd, "begins_at": begins_at, "next_at": begins_at,
        "is_on": True, "trouble": "", "set_by": actor, "set_at": now,
    }  # fmt: skip
    schedule, _is_new = RunSchedule.objects.update_or_create(run=run, defaults=values)
    details = {"every": every, "unit": unit, "budget_usd": str(budget_usd), "next_at": begins_at.isoformat()}
    record(actor=actor, action="run-scheduled", target=run, details=details)
    return schedule


@transaction.atomic
def stop(run: Run, *, actor: Any) -> None:
    """Hold the run no more by the clock; twice is once. A round under way goes on."""
    if RunSchedule.objects.filter(run=run, is_on=True).update(is_on=False, trouble=""):
        record(actor=actor, action="run-unscheduled", target=run)


def date_of(begins_at: datetime, every: int, unit: Unit, n: int) -> datetime:
    """The n-th date from the first one (n = 0); months keep the day, or end with a shorter month."""
    if unit != Unit.MONTHS:
        return begins_at + timedelta(days=_DAYS[unit] * every * n)
    years, month = divmod(begins_at.month - 1 + every * n, 12)
    year, month = begins_at.year + years, month + 1
    return begins_at.replace(year=year, month=month, day=min(begins_at.day, calendar.monthrange(year, month)[1]))


def begin_due(now: datetime | None = None) -> list[Run]:
    """Begin every round that is due; the runs that were started. Safe to run twice, and beside others."""
    now = now or timezone.now()
    due = RunSchedule.objects.filter(is_on=True, next_at__lte=now).order_by("pk").values_list("pk", flat=True)
    return [run for run in (_begin(pk, now) for pk in due) if run is not None]


@transaction.atomic
def _begin(key: int, now: datetime) -> Run | None:
    """One round, or why there is none. Whoever comes second finds the row locked, or the date moved on."""
    held = RunSchedule.objects.select_for_update(skip_locked=True, of=("self",)).select_related("run")
    schedule = held.filter(pk=key, is_on=True, next_at__lte=now).first()
    if schedule is None:
        return None
    due_at, schedule.next_at = schedule.next_at, _next(schedule, now)
    schedule.save(update_fields=["next_at"])
    last = ScheduledRound.objects.filter(schedule=schedule, run__isnull=False).select_related("run").first()
    trouble = _trouble_of(last)
    why = trouble or _why_not_now(schedule, last, now)
    run = None
    if not why:
        try:
            with transaction.atomic():
                run = _start(schedule, due_at)
        except DomainError as problem:
            why = trouble = str(problem)
    made = ScheduledRound.objects.create(schedule=schedule, due_at=due_at, run=run, skipped=why[:500])
    if run is None:
        record(actor=None, action="run-round-skipped", target=schedule.run, details={"reason": why})
    if trouble:
        _stop_by_itself(schedule, made, trouble)
    return run


def _next(schedule: RunSchedule, now: datetime) -> datetime:
    """The first date that is still to come: after days without a clock one round is held, and not all of them."""
    n = 1
    while (date := date_of(schedule.begins_at, schedule.every, Unit(schedule.unit), n)) <= now:
        n += 1
    return date


def _trouble_of(last: ScheduledRound | None) -> str:
    """Why the schedule must not go on after its last round; '' where it may."""
    if last is None or last.run is None or last.run.state not in (Run.State.PAUSED, Run.State.CANCELLED):
        return ""
    why = f": {last.run.state_reason}" if last.run.state_reason else ""
    return f"the last round, run {last.run.slug}, is {last.run.state}{why}"


def _why_not_now(schedule: RunSchedule, last: ScheduledRound | None, now: datetime) -> str:
    """Why this date is left out, and the next one may be held all the same; '' where nothing is in its way."""
    if last is not None and last.run is not None and last.run.state in _GOING:
        return f"the last round, run {last.run.slug}, was still going on"
    if schedule.run.state in _GOING:
        return f"run {schedule.run.slug} itself was being judged again"
    began = Run.objects.filter(round__isnull=False, created_at__gt=now - _A_MONTH)
    used = began.aggregate(usd=Sum("budget_usd"))["usd"] or Decimal(0)
    if used + schedule.budget_usd > settings.SCHEDULED_USD_PER_MONTH:
        return (
            f"budgets of the rounds of the last 30 days (${used:,.2f}) and this one (${schedule.budget_usd:,.2f}) are "
            f"more than SCHEDULED_USD_PER_MONTH (${settings.SCHEDULED_USD_PER_MONTH:,.2f})"
        )
    return ""


def _start(schedule: RunSchedule, due_at: datetime) -> Run:
    slug = _free_slug(f"{schedule.run.slug[:80]}-{due_at:%Y-%m-%d}")
    run = repeating.repeat(schedule.run, slug=slug, budget_usd=schedule.budget_usd)
    running.start(run)
    running.enqueue(run.pk)
    return run


def _free_slug(wanted: str) -> str:
    """The name, or with a number where a schedule that was changed falls on the same day once more."""
    taken = set(Run.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    names = (wanted, *(f"{wanted}-{n}" for n in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def _stop_by_itself(schedule: RunSchedule, made: ScheduledRound, trouble: str) -> None:
    RunSchedule.objects.filter(pk=schedule.pk).update(is_on=False, trouble=trouble[:500])
    record(actor=None, action="run-unscheduled", target=schedule.run, details={"reason": trouble})
    tell_of_trouble(made, trouble)
