"""Which studies a person may know of, and as what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from evaluation.models import Rating, Study, StudyRater
from evaluation.permissions import manages_studies
from evaluation.services.studies.rating import DONE
from evaluation.services.studies.states import rated_in

_TAKEN = (StudyRater.State.ACCEPTED, StudyRater.State.FINISHED, StudyRater.State.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's own place in a study, with how far it is."""

    rater: StudyRater
    n_items: int
    n_done: int
    is_open: bool

    @property
    def study(self) -> Study:
        return self.rater.study


def seats_of(user: Any) -> list[Seat]:
    """Where the person rates or has rated, newest first."""
    raters = StudyRater.objects.filter(user=user.pk, state__in=_TAKEN).select_related("study").defer("study__analysis")
    counted = raters.annotate(n_done=Count("ratings", filter=Q(ratings__state__in=DONE))).order_by("-accepted_at")
    return [_seat(rater, rater.n_done) for rater in counted]


def seat_in(user: Any, public_id: str) -> Seat | None:
    """The person's place in this study, if they have one."""
    raters = StudyRater.objects.filter(user=user.pk, state__in=_TAKEN, study__public_id=public_id)
    rater = raters.select_related("study").first()
    return None if rater is None else _seat(rater, Rating.objects.filter(rater=rater, state__in=DONE).count())


def managed_studies(user: Any) -> QuerySet[Study]:
    """The studies that this person may run: none in which they rate, and none of a run that they are rating now."""
    if not manages_studies(user):
        return Study.objects.none()
    studies, runs = rated_in(user)
    return (
        Study.objects.defer("analysis")
        .exclude(pk__in=studies.values("pk"))
        .exclude(pk__in=Study.objects.filter(runs__in=runs.values("pk")).values("pk"))
    )


def managed_studies_with_counts(user: Any) -> QuerySet[Study]:
    """The same with `n_items`, and `n_ratings` that were submitted."""
    submitted = Q(items__ratings__state=Rating.State.SUBMITTED)
    return managed_studies(user).annotate(
        n_items=Count("items", distinct=True), n_ratings=Count("items__ratings", filter=submitted, distinct=True)
    )


def _seat(rater: StudyRater, n_done: int) -> Seat:
    is_open = rater.study.state == Study.State.OPEN and rater.state == StudyRater.State.ACCEPTED
    return Seat(rater, len(rater.order), n_done, is_open)
