"""The budgets of trials: so much a person and so much the whole site may spend between two midnights of UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from submissions.models import Trial

# What costs nothing is bounded by its number.
MOST_TRIALS_A_DAY = 100


@dataclass(frozen=True, slots=True)
class Left:
    """US dollars of today that are neither spent nor set aside, and trials that a person may still ask for."""

    person_usd: Decimal
    site_usd: Decimal
    trials: int


def left_today(person: Any) -> Left:
    """What `person` and the site have left. Trials of unknown cost count with what was set aside for them."""
    mine = trials_today().filter(asked_by=person)
    return Left(
        person_usd=max(Decimal(0), settings.TRIAL_USD_PER_PERSON - spent(mine)),
        site_usd=max(Decimal(0), settings.TRIAL_USD_PER_DAY - spent(trials_today())),
        trials=max(0, MOST_TRIALS_A_DAY - mine.count()),
    )


def trials_today() -> QuerySet[Trial]:
    """The trials asked for since midnight UTC."""
    return Trial.objects.filter(asked_at__gte=midnight())


def spent(trials: QuerySet[Trial]) -> Decimal:
    """US dollars: what is known to be spent, and what is set aside where it is not known (yet)."""
    total = trials.order_by().aggregate(usd=Sum(Coalesce(F("cost_usd"), F("reserved_usd"))))["usd"]
    return Decimal(total or 0)


def midnight() -> datetime:
    """The beginning of this day in UTC."""
    return now().replace(hour=0, minute=0, second=0, microsecond=0)


def now() -> datetime:
    """This moment in UTC."""
    return timezone.now().astimezone(UTC)
