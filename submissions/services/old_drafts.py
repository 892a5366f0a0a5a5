"""Drafts that nobody touches are deleted by the clock, with a letter long enough before."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from impactbench.common import mail
from impactbench.common.audit import record
from submissions.addresses import page_of
from submissions.models import CoAuthor, Submission
from submissions.services.drafts import delete_draft
from submissions.states import PRIVATE

# Between the letter and the end.
DAYS_TO_ANSWER = 30
EVENT = "draft-will-go"
_LONGEST_TITLE = 200
_LETTER = """Nobody has changed the draft “{title}” since {saved}. Unless somebody saves it before, it will
be deleted on {end}, with its files:

{page}

If you no longer need it, there is nothing to do.
"""


def forget_old_drafts(now: datetime | None = None) -> dict[str, int]:
    """Write about drafts that were not touched for nearly DRAFT_DAYS, and delete those whose letter is old enough.

    Says how many of each. Discarded ones are drafts too; what was ever sent is none. With 0 days, drafts stay for good.
    Safe to run twice, and beside others.
    """
    if not settings.DRAFT_DAYS:
        return {"told": 0, "deleted": 0}
    now = now or timezone.now()
    deleted = sum(_delete(draft, now) for draft in _untouched(now, settings.DRAFT_DAYS))
    told = sum(_tell(draft, now) for draft in _untouched(now, max(0, settings.DRAFT_DAYS - DAYS_TO_ANSWER)))
    return {"told": told, "deleted": deleted}


def _untouched(now: datetime, days: int) -> QuerySet[Submission]:
    return Submission.objects.filter(
        state__in=PRIVATE, revisions=None, saved_at__lte=now - timedelta(days=days)
    ).select_related("owner")


@transaction.atomic
def _tell(draft: Submission, now: datetime) -> bool:
    """Once for each text: whoever saved meanwhile is told again when that one is old."""
    if mail.mails_about(draft).filter(event=EVENT, round=_round(draft)).exists():
        return False
    end = now + timedelta(days=DAYS_TO_ANSWER)
    confirmed = draft.co_authors.filter(state=CoAuthor.State.CONFIRMED, person__isnull=False)
    for person in [draft.owner, *(row.person for row in confirmed.select_related("person"))]:
        mail.post(
            event=EVENT,
            kind="account",
            to=person,
            about=draft,
            round=_round(draft),
            subject=f"Draft {draft.public_id} will be deleted on {end:%-d %B %Y}",
            text=_LETTER.format(
                title=mail.defuse(draft.title)[:_LONGEST_TITLE],
                saved=f"{draft.saved_at:%-d %B %Y}",
                end=f"{end:%-d %B %Y}",
                page=page_of(draft),
            ),
        )
    return True


@transaction.atomic
def _delete(draft: Submission, now: datetime) -> bool:
    fresh = _untouched(now, settings.DRAFT_DAYS).select_for_update(of=("self",)).filter(pk=draft.pk).first()
    if fresh is None:
        return False
    letters = mail.mails_about(fresh).filter(event=EVENT, round=_round(fresh))
    told = letters.filter(created_at__lte=now - timedelta(days=DAYS_TO_ANSWER))
    if not told.exists() or letters.filter(state__in=[mail.State.WAITING, mail.State.HELD]).exists():
        return False
    record(actor=None, action="draft-forgotten", target=fresh)
    delete_draft(fresh)
    return True


def _round(draft: Submission) -> str:
    return f"version {draft.version}"
