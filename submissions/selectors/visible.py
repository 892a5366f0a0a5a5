"""Which submissions a person may know of: every list, count, search, export and address asks here."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404

from impactbench.accounts.organisations import all_addresses, verified_domains
from submissions.models import Assignment, CoAuthor, Conflict, Submission
from submissions.models.reviews import OPENED
from submissions.standing import Standing, standing_of
from submissions.states import PRIVATE


def written_by(user: Any) -> QuerySet[Submission]:
    """What the user wrote, alone or with others; discarded drafts too."""
    if not user.is_authenticated:
        return Submission.objects.none()
    confirmed = CoAuthor.objects.filter(person=user, state=CoAuthor.State.CONFIRMED)
    return Submission.objects.filter(Q(owner=user) | Q(pk__in=confirmed.values("submission")))


def kept_from(user: Any) -> QuerySet[Submission]:
    """What the user must not see whatever roles they hold: their own, and whatever they have a conflict with."""
    invited = CoAuthor.objects.exclude(state=CoAuthor.State.REMOVED, person=None).filter(
        Q(email__in=all_addresses(user)) | Q(person=user)
    )
    conflicts = Conflict.objects.filter(person=user, cleared_at__isnull=True)
    return Submission.objects.filter(
        Q(owner=user)
        | Q(pk__in=invited.values("submission"))
        | Q(pk__in=conflicts.values("submission"))
        | Q(author_domains__overlap=verified_domains(user))
    )


def for_editing(user: Any) -> QuerySet[Submission]:
    """What the user may handle as an editor: all that was sent, but nothing of their own, nothing they have a
    conflict with, nothing they were asked to review."""
    if not (user.is_authenticated and user.is_active and user.has_role("editor")):
        return Submission.objects.none()
    seated = Assignment.objects.filter(OPENED | Q(state=Assignment.State.INVITED), person=user)
    return (
        Submission.objects.exclude(state__in=PRIVATE)
        .exclude(pk__in=kept_from(user).values("pk"))
        .exclude(pk__in=seated.values("round__submission"))
    )


def for_reviewing(user: Any) -> QuerySet[Submission]:
    """What the user has opened as a reviewer, in whatever round."""
    if not (user.is_authenticated and user.is_active and user.has_role("reviewer")):
        return Submission.objects.none()
    opened = Assignment.objects.filter(OPENED, person=user)
    return (
        Submission.objects.filter(pk__in=opened.values("round__submission"))
        .exclude(state__in=PRIVATE)
        .exclude(pk__in=kept_from(user).values("pk"))
    )


def submission_for(user: Any, public_id: str, *standings: Standing) -> tuple[Submission, Standing]:
    """The submission of that name and what the user is to it.

    Raises Http404 both when there is none and when the user is none of `standings` to it.
    """
    submission = Submission.objects.select_related("owner", "call").filter(public_id=public_id).first()
    if submission is not None:
        standing = standing_of(user, submission)
        if standing in standings:
            return submission, standing
    raise Http404
