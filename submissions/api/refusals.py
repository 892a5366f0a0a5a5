"""What the services refuse, as problems of the API: the same words as on the pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from impactbench.common.api.problems import Refused
from impactbench.common.errors import DomainError
from submissions.checks import Problem
from submissions.services.calls import CallClosed
from submissions.services.drafts import StaleDraft
from submissions.services.sending import Incomplete
from submissions.services.transitions import NotAllowed, WrongState


def refused(error: DomainError) -> Refused:
    """The problem that a refusal is told as."""
    if isinstance(error, Incomplete):
        return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), [error_of(one) for one in error.problems])
    if isinstance(error, StaleDraft):
        return stale(error)
    if isinstance(error, NotAllowed):
        return Refused(HTTPStatus.FORBIDDEN, str(error))
    if isinstance(error, WrongState | CallClosed):
        return Refused(HTTPStatus.CONFLICT, str(error))
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))


def stale(error: StaleDraft, **members: Any) -> Refused:
    """A draft that was saved meanwhile: what is stored now goes with the refusal."""
    saved = error.submission
    told = {"version": saved.version, "saved": saved.draft.to_json(), **members}
    return Refused(HTTPStatus.CONFLICT, str(error), members=told)


def error_of(problem: Problem) -> dict[str, Any]:
    """One thing to put right, as the API tells it."""
    number = {} if problem.number is None else {"number": problem.number}
    return {"field": problem.field, **number, "detail": problem.message}
