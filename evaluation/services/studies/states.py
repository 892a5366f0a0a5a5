"""The states of a study and the only ways between them."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from evaluation.models import Run, Study, StudyRater
from evaluation.permissions import manages_studies
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

State = Study.State
NEXT = {
    "open": (State.DRAFT, State.OPEN),
    "close": (State.OPEN, State.CLOSED),
    "publish": (State.CLOSED, State.PUBLISHED),
}


class NotAllowed(DomainError):
    """This person may not do that."""


class WrongState(DomainError):
    """The study is not in a state in which that can be done."""


def locked(study: Study) -> Study:
    """The study as it is now, ours until the transaction ends."""
    return Study.objects.select_for_update(of=("self",)).get(pk=study.pk)


def managed(study: Study, actor: Any) -> Study:
    """The locked study. Raises NotAllowed for anybody who does not run studies, or who rates in this one."""
    fresh = locked(study)
    if not manages_studies(actor) or is_rater(fresh, actor):
        raise NotAllowed("Only editors and operators who do not rate in a study run it.")
    return fresh


def rated_in(person: Any) -> tuple[QuerySet[Study], QuerySet[Run]]:
    """The studies that the person rates, or has rated, in and that are not published, and the runs that they are
    rating now: another study of the same run would tell what is hidden."""
    seats = StudyRater.objects.filter(user=person.pk).exclude(study__state=State.PUBLISHED)
    rating = seats.filter(state=StudyRater.State.ACCEPTED, study__state=State.OPEN)
    return Study.objects.filter(raters__in=seats), Run.objects.filter(studies__raters__in=rating)


def is_rater(study: Study, person: Any) -> bool:
    """Whether the person may not run the study, for what they rate in it or in another one of the same run."""
    studies, runs = rated_in(person)
    return studies.filter(pk=study.pk).exists() or runs.filter(pk__in=study.runs.values("pk")).exists()


@transaction.atomic
def move(study: Study, action: str, *, actor: Any, **changes: Any) -> Study:
    """One step, with what changes with it, and its audit event. Raises WrongState when the state forbids it."""
    source, state = NEXT[action]
    if not Study.objects.filter(pk=study.pk, state=source).update(state=state, **changes):
        study.refresh_from_db(fields=["state"])
        raise WrongState(f"The study is {study.state} now, so that is not possible.")
    study.refresh_from_db()
    record(actor=actor, action=f"study-{action}", target=study)
    return study
