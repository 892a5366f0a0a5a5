"""Opens a study: its items are fixed from here on, and everybody who was invited reads of it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import Study, StudyRater
from evaluation.services.studies.inviting import send_link
from evaluation.services.studies.states import WrongState, managed, move
from evaluation.studies.kinds import KINDS


@transaction.atomic
def open_study(study: Study, *, actor: Any) -> Study:
    """Raises NotAllowed, or WrongState unless it is a draft of a study by people."""
    if not KINDS[study.kind].by_people:
        raise WrongState("Nobody rates in a study by machine: start its runs.")
    fresh = move(managed(study, actor), "open", actor=actor, opened_at=timezone.now())
    for rater in fresh.raters.filter(state=StudyRater.State.INVITED):
        send_link(rater)
    return fresh
