"""Asks people by e-mail to rate in a study; each gets one link, good once, and opening it changes nothing."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from evaluation.addresses import study_invitation
from evaluation.models import Study, StudyRater
from evaluation.services.studies.states import WrongState, managed
from impactbench.accounts.organisations import all_addresses
from impactbench.common import mail
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

State = StudyRater.State
INVITED = "study-invited"
INVITATION_LIFE = timedelta(days=30)
MOST_RATERS = 200
LIVE = (State.INVITED, State.ACCEPTED, State.FINISHED)


@transaction.atomic
def invite(study: Study, addresses: Iterable[str], *, actor: Any) -> list[StudyRater]:
    """Ask these people; they read of it at once where the study is open, else as soon as it is.

    An address that was asked before is asked again with a new link. Raises NotAllowed, WrongState, or DomainError
    that names the address that cannot be asked; then nobody was.
    """
    fresh = managed(study, actor)
    if fresh.state not in (Study.State.DRAFT, Study.State.OPEN) or not fresh.n_raters:
        raise WrongState("People can be invited to a study by people until it is closed.")
    raters = [_asked(fresh, _checked(fresh, address)) for address in dict.fromkeys(map(_tidy, addresses)) if address]
    if not raters:
        raise DomainError("Write at least one e-mail address, one on each line.")
    for rater in raters:
        record(actor=actor, action="study-rater-invited", target=fresh, details={"seat": rater.seat})
        if fresh.state == Study.State.OPEN:
            send_link(rater)
    return raters


@transaction.atomic
def uninvite(study: Study, seat: int, *, actor: Any) -> StudyRater:
    """Take back an invitation that was not accepted. Raises NotAllowed, or WrongState."""
    fresh = managed(study, actor)
    changed = StudyRater.objects.filter(study=fresh, seat=seat, state=State.INVITED)
    if not changed.update(state=State.DECLINED, token_hash=""):  # nosec B106
        raise WrongState("This person has answered already, or was never asked.")
    rater = StudyRater.objects.get(study=fresh, seat=seat)
    mail.cancel(about=rater, event=INVITED)
    record(actor=actor, action="study-rater-uninvited", target=fresh, details={"seat": seat})
    return rater


def send_link(rater: StudyRater) -> None:
    """Write to an invited person; links of before are void. Part of the caller's transaction."""
    token, now = secrets.token_urlsafe(32), timezone.now()
    rater.token_hash, rater.invited_at, rater.expires_at = hash_of(token), now, now + INVITATION_LIFE
    rater.save(update_fields=["token_hash", "invited_at", "expires_at"])
    mail.cancel(about=rater, event=INVITED)
    title = mail.defuse(rater.study.title)
    mail.post(
        event=INVITED,
        kind="account",
        address=rater.email,
        about=rater,
        subject="Will you rate in a study of ImpactBench?",
        text=(
            f"You are asked to rate in a study:\n\n  {title}\n\n"
            "Open this address to read what it is about, and to say yes or no; you are asked to sign in first:\n"
            f"{study_invitation(token)}\n\n"
            f"{_whose(rater)} It is good until {rater.expires_at:%d %B %Y}.\n"
        ),
        # Each link is a letter of its own.
        round=rater.token_hash[:12],
    )


def _whose(rater: StudyRater) -> str:
    if rater.study.has_open_links:
        return "The link can be used once."
    return "The link is for you alone: sign in with this e-mail address."


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _asked(study: Study, email: str) -> StudyRater:
    rater = StudyRater.objects.select_for_update().filter(study=study, email=email).first()
    if rater is not None:
        if rater.state not in (State.INVITED, State.DECLINED):
            raise DomainError(f"{email} takes part already, or has withdrawn.")
        rater.state = State.INVITED
        rater.save(update_fields=["state"])
        return rater
    if study.raters.count() >= MOST_RATERS:
        raise DomainError(f"A study has at most {MOST_RATERS} raters.")
    last = study.raters.aggregate(last=Max("seat"))["last"] or 0
    return StudyRater.objects.create(study=study, email=email, seat=last + 1, plan=_free_plan(study))


def _free_plan(study: Study) -> int:
    """The share that the fewest people hold who are still there; the first of them."""
    held = list(study.raters.filter(state__in=LIVE).values_list("plan", flat=True))
    return min(range(1, study.n_raters + 1), key=lambda plan: (held.count(plan), plan))


def _tidy(address: str) -> str:
    return address.strip().strip(",;<>").strip().lower()


def _checked(study: Study, email: str) -> str:
    try:
        validate_email(email)
    except ValidationError:
        raise DomainError(f"“{email[:80]}” is not an e-mail address. Write it like name@example.org.") from None
    if study.created_by is not None and email in all_addresses(study.created_by):
        raise DomainError("Whoever designed a study cannot rate in it: they may know what is hidden from raters.")
    return email
