"""Whether a letter about an assignment still holds, asked again just before it is sent."""

from __future__ import annotations

from impactbench.common.models import OutgoingMail
from submissions.models import Assignment
from submissions.states import State


def is_unanswered(mail: OutgoingMail) -> bool:
    """Whether the person has still to say yes or no."""
    return _is(mail, Assignment.State.INVITED)


def is_unfinished(mail: OutgoingMail) -> bool:
    """Whether the person has still to answer or to send a review."""
    return _is(mail, Assignment.State.INVITED, Assignment.State.ACCEPTED)


def _is(mail: OutgoingMail, *states: str) -> bool:
    return Assignment.objects.filter(
        pk=mail.object_id,
        person=mail.recipient_id,
        state__in=states,
        round__closed_at=None,
        round__submission__state=State.IN_REVIEW,
    ).exists()
