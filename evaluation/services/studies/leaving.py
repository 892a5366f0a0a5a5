"""Leaving a study: at any time before it is published, with or without the ratings given so far."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import Rating, Study, StudyRater
from evaluation.services.studies.closing import freeze_again
from evaluation.services.studies.states import NotAllowed, WrongState, locked
from impactbench.common import mail
from impactbench.common.audit import record

State = StudyRater.State


@transaction.atomic
def withdraw(rater: StudyRater, *, keeps_ratings: bool, actor: Any) -> StudyRater:
    """Leave the study. Ratings stay where the rater says so; else their answers are deleted and count nowhere.

    A study that was closed is analysed anew without them. Raises NotAllowed, or WrongState once it is published.
    """
    study = locked(rater.study)
    if rater.user_id is None or rater.user_id != actor.pk:
        raise NotAllowed("Only the rater can leave.")
    if study.state == Study.State.PUBLISHED:
        raise WrongState("The study is published, so its ratings stay as they are.")
    fresh = StudyRater.objects.select_for_update(of=("self",)).get(pk=rater.pk)
    if fresh.state not in (State.ACCEPTED, State.FINISHED):
        raise WrongState("You have left this study already.")
    fresh.state, fresh.withdrawn_at = State.WITHDRAWN, timezone.now()
    fresh.save(update_fields=["state", "withdrawn_at"])
    if not keeps_ratings:
        Rating.objects.filter(rater=fresh).update(state=Rating.State.DROPPED, answers={})
    mail.cancel(about=fresh)
    details = {"seat": fresh.seat, "keeps_ratings": keeps_ratings}
    record(actor=actor, action="study-rater-withdrew", target=study, details=details)
    if not keeps_ratings and study.state == Study.State.CLOSED:
        freeze_again(study)
    return fresh
