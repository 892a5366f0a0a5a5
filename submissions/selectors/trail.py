"""The complete audit trail of one submission, for editors who may handle it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from impactbench.accounts.naming import display_label
from impactbench.common.models import AuditEvent
from submissions.models import Submission
from submissions.states import STATE_NAMES, State

MOST = 1_000
_STATES = {state.value: STATE_NAMES[state].lower() for state in State}


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One event."""

    at: datetime
    who: str
    action: str
    details: str


def trail(submission: Submission, *, action: str = "", who: str = "") -> list[TrailLine]:
    """What happened, newest first, of one kind or by one person (a key) when asked for."""
    events = _events(submission)
    if action:
        events = events.filter(action=action)
    if who:
        events = events.filter(actor=int(who) if who.isascii() and who.isdigit() and len(who) < 10 else 0)
    return [
        TrailLine(event.at, _who(event), _words(event.action), _details(event.details))
        for event in events.order_by("-at", "-pk")[:MOST]
    ]


def kinds_in(submission: Submission) -> list[tuple[str, str]]:
    """The actions that happened, for the filter, by name."""
    found = _events(submission).order_by().values_list("action", flat=True).distinct()
    return sorted((action, _words(action)) for action in found)


def people_in(submission: Submission) -> list[tuple[int, str]]:
    """Who did something, for the filter, by name."""
    events = _events(submission).exclude(actor=None).order_by("actor").distinct("actor")
    return sorted(((event.actor_id, _who(event)) for event in events), key=lambda one: one[1].casefold())


def _events(submission: Submission) -> Any:
    about = AuditEvent.objects.filter(target_type=submission._meta.label_lower, target_id=str(submission.pk))
    return about.select_related("actor")


def _who(event: AuditEvent) -> str:
    return display_label(event.actor) if event.actor is not None else event.actor_name or "ImpactBench"


def _words(action: str) -> str:
    return action.removeprefix("submission-").replace("-", " ").capitalize()


def _details(details: dict[str, Any]) -> str:
    """'from in review to approved; round: 1'."""
    parts = []
    if "from" in details and "to" in details:
        parts.append(f"from {_state(details['from'])} to {_state(details['to'])}")
    parts += [
        f"{name.replace('_', ' ')}: {_value(value)}"
        for name, value in details.items()
        if name not in ("from", "to") and value not in (None, "")
    ]
    return "; ".join(parts)


def _state(value: Any) -> str:
    return _STATES.get(str(value), str(value))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)
