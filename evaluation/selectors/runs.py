"""Runs as operators see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, DecimalField, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from evaluation.models import Conversation, Judgment, Run, Turn
from evaluation.permissions import is_operator
from impactbench.common.models import AuditEvent

_MOST_EVENTS = 50
_STOPS = ("run-pause", "run-finish")
_GOES = ("run-resume", "run-judge-again")


@dataclass(frozen=True, slots=True)
class TargetProgress:
    """One model under test in a run, in conversations."""

    slug: str
    total: int
    done: int
    failed: int
    in_flight: int

    @property
    def waiting(self) -> int:
        return self.total - self.done - self.in_flight


def visible_runs(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Run]:
    """The runs that `user` may see: all of our own for operators, none for others."""
    if not is_operator(user):
        return Run.objects.none()
    return Run.objects.filter(kind=Run.Kind.EVALUATION).defer("spec")


def runs_with_counts(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Run]:
    """Visible runs with `total`, `done`, `n_targets` and `spent` (of known prices), newest first."""
    done = Q(conversations__is_judged=True) | Q(conversations__state=Conversation.State.FAILED)
    return (
        visible_runs(user)
        .annotate(
            total=Count("conversations", distinct=True),
            done=Count("conversations", filter=done, distinct=True),
            n_targets=Count("targets", distinct=True),
            spent_outside=_sum(Conversation.objects.filter(run=OuterRef("pk")), "run"),
            spent_on_turns=_sum(Turn.objects.filter(conversation__run=OuterRef("pk")), "conversation__run", _OF_A_TURN),
            spent_on_judges=_sum(Judgment.objects.filter(conversation__run=OuterRef("pk")), "conversation__run"),
        )
        .order_by("-created_at")
    )


def targets_of(run: Run) -> list[TargetProgress]:
    """The models under test, by slug."""
    held = Q(lease_until__gt=timezone.now())
    done = Q(is_judged=True) | Q(state=Conversation.State.FAILED)
    rows = (
        Conversation.objects.filter(run=run)
        .order_by("target__slug")
        .values(slug=F("target__slug"))
        .annotate(
            total=Count("pk"),
            done=Count("pk", filter=done),
            failed=Count("pk", filter=Q(state=Conversation.State.FAILED)),
            in_flight=Count("pk", filter=held & ~done),
        )
    )
    return [TargetProgress(**row) for row in rows]


def spent(run: Any) -> Decimal:
    """What a run of `runs_with_counts` has cost as far as prices are known."""
    parts = (run.spent_outside, run.spent_on_turns, run.spent_on_judges)
    return sum((part for part in parts if part is not None), start=Decimal(0))


def rested(run: Run) -> timedelta:
    """How long the run stood still between its start and now: paused, or over before judges were added."""
    since: datetime | None = None
    total = timedelta()
    events = _of_run(run).filter(action__in=(*_STOPS, *_GOES), at__gte=run.started_at)
    for action, at in events.order_by("pk").values_list("action", "at"):
        if action in _STOPS:
            since = since or at
        elif since is not None:
            total, since = total + (at - since), None
    return total


def events_of(run: Run) -> QuerySet[AuditEvent]:
    """The last things that happened to a run, newest first."""
    events = _of_run(run)
    return events.select_related("actor").order_by("-at")[:_MOST_EVENTS]


def _cost_of(role: str) -> Coalesce:
    text = KeyTextTransform("cost_usd", KeyTransform(role, "usage"))
    return Coalesce(Cast(text, DecimalField(max_digits=16, decimal_places=9)), Decimal(0))


# Where one of a turn's two prices is unknown, the other one is still known.
_OF_A_TURN = Coalesce(F("cost_usd"), _cost_of("simulator") + _cost_of("target"))


def _sum(rows: QuerySet[Any], key: str, cost: Any = "cost_usd") -> Subquery:
    return Subquery(rows.order_by().values(key).annotate(usd=Sum(cost)).values("usd"))


def _of_run(run: Run) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(target_type=run._meta.label_lower, target_id=str(run.pk))
