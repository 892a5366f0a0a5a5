"""Reminds people of a study: by hand, and by the clock after days without a word."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from evaluation.addresses import study_page
from evaluation.models import Rating, Study, StudyRater
from evaluation.services.studies.inviting import send_link
from evaluation.services.studies.states import WrongState, managed
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.models import OutgoingMail

State = StudyRater.State
KIND, CHECK = "study", "study-unfinished"
WAITING = (State.INVITED, State.ACCEPTED)
BETWEEN = timedelta(days=1)


@transaction.atomic
def remind(study: Study, seat: int, *, actor: Any) -> StudyRater:
    """Write to one rater: the invitation again, or that items wait. Raises NotAllowed, or WrongState."""
    fresh = managed(study, actor)
    rater = fresh.raters.select_for_update(of=("self",)).filter(seat=seat).first()
    if fresh.state != Study.State.OPEN or rater is None or rater.state not in WAITING:
        raise WrongState("Nothing is asked of this person now.")
    if rater.reminded_at is not None and rater.reminded_at > timezone.now() - BETWEEN:
        raise WrongState("This person was reminded less than a day ago.")
    _write(rater, timezone.now())
    record(actor=actor, action="study-rater-reminded", target=fresh, details={"seat": seat})
    return rater


def remind_all(now: datetime | None = None) -> int:
    """Remind everybody whose study says so after days without a word; how many. Safe to run twice."""
    now = now or timezone.now()
    asked = StudyRater.objects.filter(
        study__state=Study.State.OPEN, study__reminder_days__isnull=False, state__in=WAITING
    ).select_related("study")
    return sum(_remind_one(rater, now) for rater in asked.annotate(last_saved=Max("ratings__saved_at")))


@transaction.atomic
def _remind_one(rater: Any, now: datetime) -> bool:
    moments = (rater.invited_at, rater.accepted_at, rater.reminded_at, rater.last_saved)
    last = max(moment for moment in moments if moment is not None)
    if last > now - timedelta(days=rater.study.reminder_days):
        return False
    # Whoever counts the row reminds; another clock finds it done.
    due = StudyRater.objects.filter(pk=rater.pk, reminded_at=rater.reminded_at, state=rater.state)
    if not due.update(reminded_at=now):
        return False
    _write(rater, now)
    record(actor=None, action="study-rater-reminded", target=rater.study, details={"seat": rater.seat})
    return True


def is_unfinished(letter: OutgoingMail) -> bool:
    """Whether the rater has still something to rate; asked again before a reminder goes out."""
    return StudyRater.objects.filter(
        pk=letter.object_id, user=letter.recipient_id, state=State.ACCEPTED, study__state=Study.State.OPEN
    ).exists()


def _write(rater: StudyRater, now: datetime) -> None:
    if rater.state == State.INVITED:
        send_link(rater)
    elif rater.user is not None:
        n_done = Rating.objects.filter(rater=rater).exclude(state=Rating.State.DRAFT).count()
        mail.post(
            event="study-reminder",
            kind=KIND,
            to=rater.user,
            about=rater,
            subject="Ratings wait for you at ImpactBench",
            text=(
                f"You are {rater.pseudonym} in a study:\n\n  {mail.defuse(rater.study.title)}\n\n"
                f"{n_done} of {len(rater.order)} are done. Go on here, or leave the study, whenever you like:\n"
                f"{study_page(rater.study)}\n"
            ),
            round=f"{now:%Y-%m-%d %H:%M}",
            still_true=CHECK,
        )
    rater.reminded_at = now
    rater.save(update_fields=["reminded_at"])
