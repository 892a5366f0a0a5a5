"""Who gets to which page of a study; unknown and forbidden look alike."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from evaluation.models import Study
from evaluation.permissions import manages_studies
from evaluation.selectors.studies.seen import Seat, managed_studies, seat_in


def need_manager(request: HttpRequest) -> None:
    """Raise Http404 for anybody who does not run studies."""
    if not manages_studies(request.user):
        raise Http404


def managed_study(request: HttpRequest, public_id: str) -> Study:
    """The study, for a person who runs it; Http404 else."""
    study = (
        managed_studies(request.user)
        .select_related("release")
        .defer("analysis", "release__groups")
        .filter(public_id=public_id)
        .first()
    )
    if study is None:
        raise Http404
    return study


def own_seat(request: HttpRequest, public_id: str) -> Seat:
    """The person's own place in the study; Http404 for who has none."""
    seat = seat_in(request.user, public_id)
    if seat is None:
        raise Http404
    return seat
