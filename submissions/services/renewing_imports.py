"""Rows of an edited file whose earlier words were sent on: they change what is there, and make no second metric."""

from __future__ import annotations

from collections.abc import Iterable

from submissions.models import DraftRow, Submission
from submissions.states import State

# What ended in one of these is no longer there to be changed: the row may be sent like any other.
_ENDED = (State.DISCARDED, State.REJECTED, State.WITHDRAWN, State.RETIRED)


def sent_before(rows: Iterable[DraftRow]) -> dict[int, DraftRow]:
    """By the rows' keys, the row of an earlier import that was sent on and that they bring in other words.

    What became of it is still under way or published. One query for each import in between.
    """
    found: dict[int, DraftRow] = {}
    open_ends = {row.pk: row.earlier_id for row in rows if row.earlier_id is not None}
    while open_ends:
        earlier = DraftRow.objects.select_related("submission", "source").in_bulk(set(open_ends.values()))
        further = {}
        for key, before in open_ends.items():
            row = earlier[before]
            if row.submission is not None and row.submission.state not in _ENDED:
                found[key] = row
            elif row.earlier_id is not None:
                further[key] = row.earlier_id
        open_ends = further
    return found


def is_published(submission: Submission) -> bool:
    """Whether it takes a new version."""
    return submission.state == State.PUBLISHED


def why_not_sent(submission: Submission) -> str:
    """Why other words for what became this submission are not sent beside it, and what to do instead."""
    if is_published(submission):
        return f"It is published already, as {submission.public_id}. Check the row and start a new version of that."
    words = submission.get_state_display().lower()
    return f"Its earlier words are under way as {submission.public_id} ({words}). Change them there, or wait."
