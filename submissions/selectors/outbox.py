"""The letters about submissions that an editor may handle, before and after they went out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from impactbench.accounts.naming import display_label
from impactbench.common.models import OutgoingMail
from submissions.models import Assignment, Decision, Submission
from submissions.selectors.visible import for_editing

_OPEN = (OutgoingMail.State.WAITING, OutgoingMail.State.HELD)


@dataclass(frozen=True, slots=True)
class ShownMail:
    """One mail with the submission it is about."""

    mail: OutgoingMail
    submission: Submission
    to: str


def waiting_decisions(user: Any) -> QuerySet[Decision]:
    """The decisions whose letter waits or is held, the next one to go out first."""
    waiting = Decision.objects.filter(
        submission__in=for_editing(user), state__in=[Decision.State.WAITING, Decision.State.HELD]
    )
    return waiting.select_related("submission", "decided_by").order_by("release_at", "pk")


def waiting_mails(user: Any) -> list[ShownMail]:
    """The mails about those submissions that were not sent yet, or could not be."""
    unsent = OutgoingMail.objects.filter(state__in=[*_OPEN, OutgoingMail.State.FAILED])
    return _shown(unsent.filter(_about(for_editing(user))))


def mails_about(submission: Submission) -> list[ShownMail]:
    """Every mail about one submission and its assignments, newest first; for editors who may handle it."""
    return _shown(OutgoingMail.objects.filter(_about(Submission.objects.filter(pk=submission.pk))))


def mail_of(user: Any, pk: int) -> ShownMail | None:
    """The mail of that key if it is about a submission that the user may handle."""
    return next(iter(_shown(OutgoingMail.objects.filter(_about(for_editing(user)), pk=pk))), None)


def n_waiting(user: Any) -> int:
    """How many letters of decisions wait or are held."""
    return waiting_decisions(user).count()


def _about(submissions: QuerySet[Submission]) -> Q:
    names = submissions.annotate(key=Cast("pk", TextField())).values("key")
    assignments = Assignment.objects.filter(round__submission__in=submissions.values("pk"))
    keys = assignments.annotate(key=Cast("pk", TextField())).values("key")
    return Q(object_type=Submission._meta.label_lower, object_id__in=names) | Q(
        object_type=Assignment._meta.label_lower, object_id__in=keys
    )


def _shown(mails: QuerySet[OutgoingMail]) -> list[ShownMail]:
    rows = list(mails.exclude(text="").select_related("recipient").order_by("-created_at", "-pk")[:500])
    about = Submission._meta.label_lower
    submissions = Submission.objects.in_bulk([int(row.object_id) for row in rows if row.object_type == about])
    other = [int(row.object_id) for row in rows if row.object_type != about]
    assignments = Assignment.objects.select_related("round__submission").in_bulk(other)
    return [
        ShownMail(
            row,
            submissions[int(row.object_id)]
            if row.object_type == about
            else assignments[int(row.object_id)].round.submission,
            display_label(row.recipient) if row.recipient is not None else row.address,
        )
        for row in rows
    ]
