"""Has the auditor of a study read the conversations that its runs held, one call each, and keeps what it says."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.db import connection

from evaluation.engine.types import Exchange, ModelCall, Usage
from evaluation.llm.pricing import likely_cost, price_of
from evaluation.models import Conversation, Study, StudyAudit
from evaluation.plans import UNPRICED_CALL_USD
from evaluation.selectors.studies.audits import auditor_prompt_hash, conversations_to_audit, spent_on_audits
from evaluation.services.briefs import anchors_of
from evaluation.services.model_configurations import configuration_of
from evaluation.services.trial_costs import PaidModel, reply_limit
from evaluation.studies.auditor import Audit, audit_conversation, auditor_messages
from evaluation.workers import stopping
from evaluation.workers.trying import Purse, open_calls

logger = logging.getLogger(__name__)

# Short, because other short work of the same workers waits meanwhile.
SLICE_SECONDS = 45
_LOCK_SECONDS = 10 * 60
_AT_ONCE = 8
_ENDLESS = Decimal("Infinity")
_AUDITOR = "auditor"
# The model said nothing of the conversation: it is asked again later.
_ASK_LATER = frozenset({"auditor-unreachable", "auditor-timeout", "auditor-rate-limited", "auditor-denied"})


def audit_study(study: Study) -> int:
    """Audit what is left for one slice of time and return how many audits were kept. Safe to run twice.

    Stops where the next call might pass the study's budget, and where the model cannot be reached; what was read is
    kept, and a later slice goes on from there.
    """
    if study.state != Study.State.OPEN or study.auditor is None:
        return 0
    if not cache.add(_lock(study), 1, _LOCK_SECONDS):
        return 0  # another worker reads
    try:
        return asyncio.run(_audit_and_leave(study, list(conversations_to_audit(study).values_list("pk", flat=True))))
    finally:
        cache.delete(_lock(study))


def _lock(study: Study) -> str:
    return f"study-audit:{study.pk}"


class _Allowance:
    """What is left of a budget. None: there is no limit."""

    def __init__(self, usd: Decimal | None) -> None:
        self._left = usd

    def take(self, usd: Decimal) -> bool:
        """Set so much aside; False where it is not there."""
        if self._left is None:
            return True
        if usd > self._left:
            return False
        self._left -= usd
        return True

    def settle(self, taken: Decimal, used: Usage) -> None:
        """Give back what was set aside and not used; a call of unknown price has cost its ceiling."""
        if self._left is not None:
            self._left += taken - (used.calls * UNPRICED_CALL_USD if used.cost_usd is None else used.cost_usd)


async def _audit_and_leave(study: Study, left: list[int]) -> int:
    try:
        return await _audit_all(study, left)
    finally:
        # The thread that asks the database for the event loop stays, and nobody else closes its connection.
        await sync_to_async(lambda: connection.close())()


async def _audit_all(study: Study, left: list[int]) -> int:
    assert study.auditor is not None
    spent = await sync_to_async(spent_on_audits)(study)
    allowance = _Allowance(None if study.budget_usd is None else study.budget_usd - spent)
    ends_at, kept = time.monotonic() + SLICE_SECONDS, 0
    async with open_calls({_AUDITOR: PaidModel(study.auditor, UNPRICED_CALL_USD)}, Purse(_ENDLESS)) as calls:
        for at in range(0, len(left), _AT_ONCE):
            if time.monotonic() >= ends_at or stopping.is_stopping():
                break
            together = left[at : at + _AT_ONCE]
            found = await asyncio.gather(*(_audit(study, pk, calls[_AUDITOR], allowance) for pk in together))
            kept += sum(found)
            if not all(found):
                break
    return kept


async def _audit(study: Study, conversation: int, auditor: ModelCall, allowance: _Allowance) -> bool:
    """Whether an audit was kept; False where the budget does not pay for it or the model has to be asked later."""
    assert study.auditor is not None
    rows, turns = await sync_to_async(_read)(conversation)
    anchors = anchors_of(rows)
    price = price_of(configuration_of(study.auditor))
    limit = reply_limit(study.auditor)
    likely = likely_cost(price, auditor_messages(anchors, turns), limit, unpriced_usd=UNPRICED_CALL_USD)
    # An answer that cannot be read is asked for once more.
    aside = 2 * likely
    if not allowance.take(aside):
        logger.info("the next audits of study %s might pass its budget", study.public_id)
        return False
    audit = await audit_conversation(anchors, turns, auditor)
    allowance.settle(aside, audit.usage)
    if audit.reason in _ASK_LATER:
        logger.warning("the auditor of study %s: %s %s", study.public_id, audit.reason, audit.detail)
        return False
    await sync_to_async(_keep)(study, conversation, len(anchors), audit)
    return True


def _read(conversation: int) -> tuple[list[dict[str, Any]], list[Exchange]]:
    found = Conversation.objects.select_related("scenario").get(pk=conversation)
    turns: Iterable[Any] = found.turns.order_by("number")
    return found.scenario.anchors, [turn for turn in turns if turn.user_message and turn.reply]


def _keep(study: Study, conversation: int, n_anchors: int, audit: Audit) -> None:
    assert study.auditor is not None
    used = audit.usage
    readings = audit.objectives or [None] * n_anchors
    objectives = [
        {
            "anchor": number,
            "covered": None if reading is None else reading.covered,
            "turn": None if reading is None else reading.turn,
            "reason": "" if reading is None else reading.reason,
        }
        for number, reading in enumerate(readings, start=1)
    ]
    row = StudyAudit(
        conversation_id=conversation,
        auditor=study.auditor,
        prompt_hash=auditor_prompt_hash(),
        objectives=objectives,
        reason=audit.reason[:60],
        detail=audit.detail[:2000],
        raw_reply=audit.raw_reply,
        calls=used.calls,
        retries=used.retries,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.cost_usd,
    )
    StudyAudit.objects.bulk_create([row], ignore_conflicts=True)
