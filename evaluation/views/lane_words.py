"""The models of a run side by side: how far each is, what it is asked now, and what holds it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from evaluation.models import LanguageModel, Run
from evaluation.selectors.progress import Progress, Spending
from evaluation.selectors.runs import TargetProgress, targets_of
from evaluation.services.judging import judges_of
from evaluation.services.worker_reports import CallsNow

_WHY = {
    "denied": "it takes no call from us; check its key, credit, name and address",
    "unreachable": "it could not be reached",
    "timeout": "it did not answer in time",
    "rate-limited": "its rate limit refuses every call",
    "refused": "it refuses every call",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """The lane of a target in per cent of its width: where done ends, how wide failed and in flight are."""

    done: str
    failed: str
    in_flight_at: str
    in_flight: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A line of the table; a text is empty where nothing can be said. `says` is what holds the model back."""

    name: str
    role: str
    done: str
    in_flight: str
    waiting: str
    held: str
    failed: str
    limit: str
    says: str
    picture: Picture | None = None


def target_lanes(run: Run, calls: Mapping[str, CallsNow]) -> list[Lane]:
    """The models under test, in conversations."""
    found = {target.slug: target for target in targets_of(run)}
    models = sorted(run.targets.all(), key=lambda model: (model.name, model.slug))
    return [_target_lane(model, found[model.slug], calls.get(model.slug)) for model in models if model.slug in found]


def other_lanes(
    run: Run, progress: Progress, spending: Sequence[Spending], calls: Mapping[str, CallsNow]
) -> list[Lane]:
    """The simulated user and the judges, in calls."""
    lanes = []
    if run.user_simulator is not None:
        done = sum(part.calls for part in spending if part.role == "simulator")
        lanes.append(_call_lane(run.user_simulator, "Simulated user", done, "", calls))
    for _, model, repeats in judges_of(run):
        done = sum(part.calls for part in spending if part.role == "judge" and part.model == model.name)
        waiting = f"{progress.total_unread * repeats:,}"
        lanes.append(_call_lane(model, "Judge", done, waiting, calls))
    return lanes


def _target_lane(model: LanguageModel, target: TargetProgress, calls: CallsNow | None) -> Lane:
    total = max(1, target.total)
    well, failed, in_flight = (target.done - target.failed) / total, target.failed / total, target.in_flight / total
    return Lane(
        name=model.name,
        role="Target",
        done=f"{target.done - target.failed:,}",
        in_flight=f"{target.in_flight:,}",
        waiting=f"{target.waiting:,}",
        held="" if calls is None else f"{calls.held:,}",
        failed=f"{target.failed:,}",
        limit=_limits(model),
        says=_says(calls),
        picture=Picture(_percent(well), _percent(failed), _percent(well + failed), _percent(in_flight)),
    )


def _call_lane(model: LanguageModel, role: str, done: int, waiting: str, calls: Mapping[str, CallsNow]) -> Lane:
    now = calls.get(model.slug)
    return Lane(
        name=model.name,
        role=role,
        done=f"{done:,}",
        in_flight="" if now is None else f"{now.in_flight:,}",
        waiting=waiting,
        held="" if now is None else f"{now.held:,}",
        failed="",
        limit=_limits(model),
        says=_says(now),
    )


def _limits(model: LanguageModel) -> str:
    parts = (
        (model.requests_per_minute, "calls a minute"),
        (model.tokens_per_minute, "tokens a minute"),
        (model.max_in_flight, "at once"),
    )
    return ", ".join(f"{most:,} {what}" for most, what in parts if most is not None) or "none set"


def _says(calls: CallsNow | None) -> str:
    if calls is None:
        return ""
    if calls.is_resting:
        until = datetime.fromtimestamp(calls.rests_until, UTC)
        why = _WHY.get(calls.reason, "it is down")
        return f"Rests until {until:%H:%M:%S} UTC: {why}. Only its own conversations wait."
    if not calls.held:
        return ""
    return f"Held back by a limit: {calls.held:,} {'call waits' if calls.held == 1 else 'calls wait'}."


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"
