"""What pages say of runs that the clock holds again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from evaluation.forms import ScheduleForm
from evaluation.models import Run, RunSchedule, ScheduledRound

_MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """A line of the list of schedules."""

    slug: str
    how_often: str
    next: str
    budget: str


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One date: what became of it, the slug of its run where there is one."""

    due_at: str
    slug: str
    what: str


def schedule_rows() -> list[ScheduleRow]:
    """Every schedule, those that go on first, the next date first."""
    rows = RunSchedule.objects.select_related("run").order_by("-is_on", "next_at")
    return [
        ScheduleRow(row.run.slug, how_often(row), _next(row) if row.is_on else "stopped", f"${row.budget_usd:,.2f}")
        for row in rows
    ]


def schedule_part(run: Run, form: ScheduleForm | None = None) -> dict[str, Any]:
    """The schedule of a run and its rounds, or the round that it is itself; `form` is one that was refused."""
    schedule = RunSchedule.objects.filter(run=run).first()
    made = ScheduledRound.objects.filter(run=run).select_related("schedule__run", "compared_with").first()
    can_repeat = run.kind == Run.Kind.EVALUATION and run.state == Run.State.FINISHED and made is None
    return {
        "schedule": schedule,
        "schedule_how_often": how_often(schedule) if schedule else "",
        "schedule_next": _next(schedule) if schedule and schedule.is_on else "",
        "rounds": _rounds(schedule) if schedule else [],
        "round": made,
        "round_words": _compared(made) if made else "",
        "can_repeat": can_repeat,
        "schedule_form": form or ScheduleForm(initial=_initial(run, schedule)),
    }


def how_often(schedule: RunSchedule) -> str:
    """'month', or '2 weeks'."""
    unit = schedule.unit
    return unit.removesuffix("s") if schedule.every == 1 else f"{schedule.every} {unit}"


def moment(at: datetime) -> str:
    """The moment in UTC and, where it is another, in the reader's own time zone."""
    in_utc, own = at.astimezone(UTC), timezone.localtime(at)
    words = f"{date_format(in_utc, 'j F Y, H:i')} UTC"
    return words if own.utcoffset() == in_utc.utcoffset() else f"{words} ({date_format(own, 'j F Y, H:i')} your time)"


def _next(schedule: RunSchedule) -> str:
    return moment(schedule.next_at)


def _initial(run: Run, schedule: RunSchedule | None) -> dict[str, Any]:
    if schedule is not None:
        return {"every": schedule.every, "unit": schedule.unit, "budget_usd": f"{schedule.budget_usd:.2f}"}
    budget = "" if run.budget_usd is None else f"{run.budget_usd:.2f}"
    return {"every": 1, "unit": "months", "budget_usd": budget}


def _rounds(schedule: RunSchedule) -> list[RoundRow]:
    rounds = schedule.rounds.select_related("run", "compared_with")[:_MOST_ROUNDS]
    return [
        RoundRow(
            f"{one.due_at:%Y-%m-%d}",
            one.run.slug if one.run else "",
            f"{one.run.state}. {_compared(one)}".strip() if one.run else f"left out: {one.skipped}",
        )
        for one in rounds
    ]


def _compared(made: ScheduledRound) -> str:
    if made.compared_at is None:
        return ""
    if made.compared_with is None:
        return "No release has measured the same, so it was compared with none."
    if not made.n_worse:
        return f"Nothing is marked as worse than in release {made.compared_with.slug}."
    return f"{made.n_worse} marked as worse than in release {made.compared_with.slug}; the letter says which."
