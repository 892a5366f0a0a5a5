"""What studies keep about a person: to take along, and to forget while the ratings stay under the pseudonym."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils import timezone

from evaluation.models import Rating, StudyRater
from impactbench.accounts.models import User
from impactbench.accounts.organisations import all_addresses
from impactbench.common.models import OutgoingMail


def export_studies(user: User) -> list[dict[str, Any]]:
    """Where the person was asked to rate, what they agreed to, and every answer they gave."""
    seats = StudyRater.objects.filter(Q(user=user) | Q(email__in=all_addresses(user))).select_related("study")
    return [_seat(rater) for rater in seats.order_by("pk")]


def erase_from_studies(user: User) -> None:
    """Forget who the person is. Ratings stay under the pseudonym, and somebody else may take what is left to rate.

    An invitation without an answer ends. Part of the caller's transaction.
    """
    for rater in StudyRater.objects.filter(Q(user=user) | Q(email__in=all_addresses(user))).select_for_update():
        rater.user, rater.email, rater.token_hash = None, "", ""
        if rater.state == StudyRater.State.INVITED:
            rater.state = StudyRater.State.DECLINED
        elif rater.state == StudyRater.State.ACCEPTED:
            rater.state, rater.withdrawn_at = StudyRater.State.WITHDRAWN, timezone.now()
        rater.save(update_fields=["user", "email", "token_hash", "state", "withdrawn_at"])
        letters = OutgoingMail.objects.filter(object_type=rater._meta.label_lower, object_id=str(rater.pk))
        letters.delete()


def _seat(rater: StudyRater) -> dict[str, Any]:
    ratings = Rating.objects.filter(rater=rater).order_by("item__number")
    return {
        "study": rater.study.title,
        "known_as": rater.pseudonym,
        "state": rater.state,
        "invited_at": rater.invited_at,
        "accepted_at": rater.accepted_at,
        "single_ratings_may_be_published": rater.consents_to_release,
        "declared": list(rater.declarations.values("knows", "made_at")),
        "ratings": list(ratings.values("item__number", "answers", "state", "seconds", "submitted_at")),
    }
