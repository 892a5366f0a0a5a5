"""Decides on items that raters disagree about: one more opinion beside the ratings, which stay as they are."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from evaluation.models import Adjudication, Study, StudyItem
from evaluation.services.studies.states import NotAllowed, WrongState, managed
from evaluation.services.studies.statuses import refresh_statuses
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

MOST_REASONS = 5_000


def can_be_decided(item: StudyItem) -> bool:
    """Whether the item is about a behaviour that is there or not; marks of a scale and views of a metric are not."""
    return item.conversation_id is not None and item.study.kind in (
        Study.Kind.EXPERT_REVIEW,
        Study.Kind.JUDGMENT_REVIEW,
    )


@transaction.atomic
def adjudicate(item: StudyItem, *, outcome: str, reasons: str, actor: Any) -> Adjudication:
    """Add a decision on an item; the newest one counts, and earlier ones stay.

    After publication the status of its metric follows at once; findings stay as they were made.
    Raises NotAllowed, also for who rated here and may run the published study, WrongState for a draft, or DomainError
    for a missing outcome or reason, or an item without anything to decide.
    """
    study = managed(item.study, actor)
    if study.raters.filter(user=actor.pk, ratings__isnull=False).exists():
        raise NotAllowed("You rated in this study, so somebody else decides where raters differ.")
    if not can_be_decided(item):
        raise DomainError("Only conversations on which a verdict was asked for can be decided on.")
    if study.state == Study.State.DRAFT:
        raise WrongState("There is nothing to decide before the study is open.")
    if outcome not in Adjudication.Outcome.values:
        raise DomainError("Choose one of the three outcomes.")
    reasons = reasons.replace("\x00", "").strip()
    if not reasons:
        raise DomainError("Write the reasons: they are published with the decision.")
    if len(reasons) > MOST_REASONS:
        raise DomainError(f"Shorten the reasons to {MOST_REASONS:,} characters.")
    made = Adjudication.objects.create(item=item, by=actor, outcome=outcome, reasons=reasons)
    details = {"item": item.number, "outcome": outcome}
    record(actor=actor, action="study-adjudicated", target=study, details=details)
    if study.state == Study.State.PUBLISHED:
        refresh_statuses([item.metric_version], actor=actor)
    return made
