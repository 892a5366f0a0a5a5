"""When one may send: calls, their ends, the grace for drafts opened before, and more time on request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions.models import Call, Extension, Submission
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Standing, standing_of
from submissions.states import EDITABLE, State

LONGEST_REASON = 2_000


class Door(StrEnum):
    """Whether a submission may be sent now."""

    ALWAYS = "always"
    OPEN = "open"
    GRACE = "grace"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Window:
    """Whether a draft may be sent at a moment, until when, and what comes after.

    `closes_at` is the end that everybody was told; `until` the last moment for this draft (later in the grace, or
    with more time granted); both None without a call or an end. `others` are calls open now that it could move to.
    """

    door: Door
    call: Call | None = None
    closes_at: datetime | None = None
    until: datetime | None = None
    next_call: Call | None = None
    others: tuple[Call, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.door is not Door.CLOSED


class CallClosed(DomainError):
    """The call has closed, and the grace has passed; the draft stays."""

    def __init__(self, window: Window) -> None:
        title = window.call.title if window.call else "last call"
        super().__init__(f"The {title} is closed. Your draft stays; nothing of it is lost.")
        self.window = window


def open_calls(at: datetime | None = None) -> QuerySet[Call]:
    """The calls one may begin a draft for, the one that closes first in front."""
    at = at or timezone.now()
    still = Q(closes_at__isnull=True) | Q(closes_at__gt=at)
    return Call.objects.filter(still, opens_at__lte=at).order_by("closes_at", "pk")


def next_call(at: datetime | None = None) -> Call | None:
    """The next call to open."""
    return Call.objects.filter(opens_at__gt=at or timezone.now()).order_by("opens_at", "pk").first()


def window_of(submission: Submission, at: datetime | None = None) -> Window:
    """Whether this draft may be sent at that moment. Without any call on the site, it always may."""
    at = at or timezone.now()
    call = submission.call
    granted = _granted_until(submission, at)
    if call is None:
        others = tuple(open_calls(at))
        if others or granted or not Call.objects.exists():
            return Window(Door.ALWAYS, None, None, granted, next_call(at), others)
        return Window(Door.CLOSED, next_call=next_call(at))
    if call.closes_at is None or at < call.closes_at:
        return Window(Door.OPEN, call, call.closes_at, call.closes_at)
    last = (call.grace_ends_at or call.closes_at) if submission.created_at < call.closes_at else call.closes_at
    until = max(last, granted) if granted else last
    if at < until:
        return Window(Door.GRACE, call, call.closes_at, until)
    others = tuple(open_calls(at).exclude(pk=call.pk))
    return Window(Door.CLOSED, call, call.closes_at, until, next_call(at), others)


@transaction.atomic
def move_to(submission: Submission, call: Call, *, actor: Any) -> Submission:
    """Put a draft into another call that is open. Raises NotAllowed, WrongState or DomainError."""
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR or fresh.owner_id != actor.pk:
        raise NotAllowed("Only its owner chooses the call of a draft.")
    if fresh.state != State.DRAFT:
        raise WrongState("This submission has been sent; its call cannot be changed now.")
    if not open_calls().filter(pk=call.pk).exists():
        raise DomainError("This call is not open. Choose another one.")
    fresh.call = call
    fresh.save(update_fields=["call"])
    record(actor=actor, action="submission-moved-to-call", target=fresh, details={"call": call.slug})
    return fresh


@transaction.atomic
def ask_for_time(submission: Submission, *, actor: Any, reason: str) -> Extension:
    """Ask the editors for more time; asked twice before an answer, the first question is returned.

    Raises NotAllowed, WrongState, or DomainError without a reason.
    """
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors ask for more time.")
    if fresh.state not in EDITABLE:
        raise WrongState("There is nothing to send now, so no more time is needed.")
    reason = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not reason:
        raise DomainError("Say in a sentence why you need more time.")
    waiting = fresh.extensions.filter(answered_at=None).first()
    if waiting is not None:
        return waiting
    asked = Extension.objects.create(submission=fresh, reason=reason)
    record(actor=actor, action="more-time-asked", target=fresh)
    return asked


def days_left(until: datetime, at: datetime | None = None) -> int:
    """Whole days until a moment, rounded down; negative once it has passed."""
    return (until - (at or timezone.now())) // timedelta(days=1)


def _granted_until(submission: Submission, at: datetime) -> datetime | None:
    granted = submission.extensions.filter(granted_by__isnull=False, until__gt=at)
    return granted.order_by("-until").values_list("until", flat=True).first()
