"""Runs in plain words for their pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from evaluation.engine.reasons import sentence
from evaluation.models import Conversation, Run
from evaluation.selectors.failures import Failure
from evaluation.selectors.progress import Progress
from evaluation.selectors.runs import rested, spent
from impactbench.accounts.naming import display_label
from impactbench.common.models import AuditEvent

_RECENT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class StateWords:
    """A state as the pages show it: a mark and a text."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """A line of the list of runs."""

    run: Any
    state: StateWords
    spent: Decimal


@dataclass(frozen=True, slots=True)
class FailureWords:
    """A reason in words: what happened, whether trying again helps, and its one button."""

    failure: Failure
    text: str
    hope: str
    button: str


@dataclass(frozen=True, slots=True)
class EventWords:
    """A line of the log."""

    at: datetime
    who: str
    what: str


_ACTIONS = {
    "run-planned": "planned the run",
    "run-start": "started the run",
    "run-pause": "paused the run",
    "run-resume": "let the run go on",
    "run-cancel": "cancelled the run",
    "run-finish": "finished the run",
    "run-judge-again": "had the transcripts judged again",
    "run-judged-again": "added judges",
    "run-budget-changed": "changed the budget",
    "run-concurrency-changed": "changed the conversations in flight",
    "run-tried-again": "had failed ones tried again",
    "run-model-rests": "let a model rest",
    "run-release-asked": "asked to publish the run",
    "run-released": "published the run",
    "run-release-failed": "could not publish the run",
    "run-scheduled": "had the run held again by the clock",
    "run-unscheduled": "stopped the schedule",
    "run-round-skipped": "left out a round",
    "run-repeated": "made the run as a round",
    "run-got-worse": "found results worse than in the last release",
}


def events_in_words(events: Iterable[AuditEvent]) -> list[EventWords]:
    """The log of a run; an action without a name of its own is shown as it is."""
    return [EventWords(event.at, _who(event), _what(event)) for event in events]


def _who(event: AuditEvent) -> str:
    """A person by name where they have one, else the account, as the audit trail keeps it."""
    if event.actor is not None and event.actor.name.strip():
        return display_label(event.actor)
    return event.actor_name or "Platform"


def _what(event: AuditEvent) -> str:
    action = _ACTIONS.get(event.action, event.action)
    if event.action == "run-budget-changed":
        before, after = (_limit(event.details.get(key)) for key in ("before", "after"))
        return f"{action} from {before} to {after}"
    if event.action == "run-concurrency-changed":
        return f"{action} from {event.details.get('before')} to {event.details.get('after')}"
    if event.action == "run-tried-again":
        counts = [f"{event.details.get(key, 0)} {key}" for key in ("conversations", "judgments")]
        return f"{action}: {' and '.join(counts)}"
    if event.action in ("run-release-asked", "run-released"):
        return f"{action} as release {event.details.get('release')}"
    reason = event.details.get("reason")
    return f"{action}: {reason}" if reason else action


def _limit(usd: str | None) -> str:
    return "no limit" if usd is None else f"${Decimal(usd):.2f}"


def state_in_words(run: Run) -> StateWords:
    """`Paused: the next calls might pass the budget` and the like."""
    mark = {
        Run.State.CREATED: "pause",
        Run.State.RUNNING: "run",
        Run.State.PAUSED: "pause",
        Run.State.FINISHED: "done",
        Run.State.CANCELLED: "stop",
    }[Run.State(run.state)]
    text = "Not started" if run.state == Run.State.CREATED else Run.State(run.state).label
    return StateWords(mark, f"{text}: {run.state_reason}" if run.state_reason else text)


def run_rows(runs: Iterable[Run]) -> list[RunRow]:
    return [RunRow(run, state_in_words(run), spent(run)) for run in runs]


def failures_in_words(failures: Iterable[Failure]) -> list[FailureWords]:
    """What did not work, in the order given."""
    return [_failure_in_words(failure) for failure in failures]


def _failure_in_words(failure: Failure) -> FailureWords:
    what = "Judge" if failure.is_judgment else "Try"
    return FailureWords(
        failure=failure,
        text=sentence(failure.reason),
        hope="Trying again may help." if failure.may_pass else "Trying again will not help.",
        button=f"{what} {failure.count:,} again" if failure.may_pass else "",
    )


class Pace:
    """How fast a run is now, from the conversations of the last minutes, and what that means for the rest."""

    def __init__(self, run: Run, progress: Progress) -> None:
        self._progress = progress
        self._recent = 0
        self._seconds = 0.0
        self._worked = 0.0
        if run.state == Run.State.RUNNING and run.started_at is not None:
            self._look(run, run.started_at)

    @property
    def per_minute(self) -> float | None:
        return 60 * self._recent / self._seconds if self._recent and self._seconds > 1 else None

    @property
    def left(self) -> str:
        """`about 1 h 50 min`, by all turns and judgments while it was at work; empty where nothing can be said."""
        progress = self._progress
        if not (self._seconds and progress.steps and progress.steps_left):
            return ""
        minutes = round(progress.steps_left * self._worked / progress.steps / 60)
        if minutes < 1:
            return "less than a minute"
        return f"about {minutes} min" if minutes < 60 else f"about {minutes // 60} h {minutes % 60:02d} min"

    @property
    def expected_usd(self) -> Decimal | None:
        """What the whole run will cost if the rest costs as much as what is done."""
        cost, done = self._progress.cost_usd, self._progress.done
        return cost * self._progress.total / done if cost is not None and done else None

    def _look(self, run: Run, started_at: datetime) -> None:
        now = timezone.now()
        since = max(started_at, now - _RECENT)
        self._seconds = (now - since).total_seconds()
        self._worked = max(1.0, self._progress.seconds - rested(run).total_seconds())
        self._recent = Conversation.objects.filter(run=run, is_judged=True, finished_at__gte=since).count()
