"""Answers of an author to the requests of the editors, each kept on its own."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions.content import text_of
from submissions.models import RequestedChange, Submission
from submissions.services.sending import newest_request
from submissions.services.transitions import NotAllowed, WrongState, locked
from submissions.standing import Standing, standing_of
from submissions.states import State


@transaction.atomic
def answer(submission: Submission, number: int, *, text: str, done: str, actor: Any) -> RequestedChange | None:
    """Keep what the author answers to one request, unfinished or not; None when there is no such request.

    Raises NotAllowed or WrongState.
    """
    fresh = locked(submission)
    if standing_of(actor, fresh) is not Standing.AUTHOR:
        raise NotAllowed("Only its authors answer for a submission.")
    if fresh.state != State.CHANGES_REQUESTED:
        raise WrongState("This version has been sent; its answers cannot be changed now.")
    decision = newest_request(fresh)
    change = decision.changes.filter(number=number).first() if decision else None
    if change is None:
        return None
    done = done if done in RequestedChange.Done.values else ""
    text = text_of(text)
    if (change.answer, change.done) != (text, done):
        change.answer, change.done, change.answered_at = text, done, timezone.now()
        change.save(update_fields=["answer", "done", "answered_at"])
    return change
