"""What the auditor of a study has read, what is left, and what it has cost."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from evaluation.models import Conversation, Study, StudyAudit
from evaluation.plans import UNPRICED_CALL_USD
from evaluation.studies.auditor import auditor_prompt_hashes


def auditor_prompt_hash() -> str:
    """SHA-256 over all prompts of the auditor."""
    return hashlib.sha256(json.dumps(auditor_prompt_hashes(), sort_keys=True).encode()).hexdigest()


def audits_of(study: Study) -> QuerySet[StudyAudit]:
    """What the study's auditor read, by any prompts."""
    return StudyAudit.objects.filter(conversation__run__condition__study=study, auditor=study.auditor_id)


def conversations_to_audit(study: Study) -> QuerySet[Conversation]:
    """Conversations of the study that have ended well and that its auditor has not read; none without an auditor."""
    if study.auditor_id is None:
        return Conversation.objects.none()
    read = StudyAudit.objects.filter(conversation=OuterRef("pk"), auditor=study.auditor_id)
    ended = Conversation.objects.filter(run__condition__study=study, state=Conversation.State.FINISHED)
    return ended.exclude(Exists(read)).order_by("pk")


def studies_to_audit() -> list[int]:
    """Open studies with conversations that wait for their auditor."""
    found = Study.objects.filter(state=Study.State.OPEN, auditor__isnull=False).order_by("pk")
    return [study.pk for study in found if conversations_to_audit(study).exists()]


def spent_on_audits(study: Study) -> Decimal:
    """US dollars that count against the budget; calls of unknown price count at their ceiling."""
    costs = audits_of(study).values_list("cost_usd", "calls")
    return sum((usd if usd is not None else calls * UNPRICED_CALL_USD for usd, calls in costs), start=Decimal(0))
