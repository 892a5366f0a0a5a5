"""What a conversation writes: its turns, its end, its judgments, each only while the lease is ours."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from evaluation.engine.types import ConversationOutcome, JudgeVerdict, TurnRecord, Usage
from evaluation.workers import statements
from evaluation.workers.claims import Claim
from evaluation.workers.writer import Writer


class Saving:
    """The writes of one worker under one owner's name. Every method returns when its write is committed.

    Raises LeaseLostError when another worker holds the conversation.
    """

    def __init__(self, writer: Writer, owner: str) -> None:
        self._writer = writer
        self._owner = owner

    async def save_turn(self, claim: Claim, turn: TurnRecord) -> None:
        together = turn.simulator_usage + turn.target_usage
        values = {
            "number": turn.number,
            "user_message": turn.user_message,
            "unedited_message": turn.unedited_message,
            "plan": turn.plan,
            "anchors": Jsonb([asdict(anchor) for anchor in turn.anchors_in_force]),
            "reply": turn.reply,
            "finish_reason": turn.finish_reason[:40],
            **_spent(together),
            "latency_ms": turn.target_usage.latency_ms,
            "usage": Jsonb(
                {"simulator": _by_role(turn.simulator_usage), "target": _by_role(turn.target_usage)}
                | ({"realism": turn.realism} if turn.realism else {})
            ),
        }
        await self._write(statements.SAVE_TURN, claim, values, statements.TURN_IS_SAVED)

    async def end(self, claim: Claim, outcome: ConversationOutcome, lost: Usage, *, is_judged: bool) -> None:
        """Ends the conversation, once. A failed one has nothing to judge, so its lease ends too."""
        values = {
            "state": outcome.state,
            "reason": outcome.reason[:60],
            "detail": outcome.detail[:2000],
            "flags": Jsonb(list(outcome.flags)),
            "is_judged": is_judged,
            **_spent(lost),
        }
        await self._write(statements.END, claim, values, statements.HAS_ENDED)

    async def begin_again(self, claim: Claim, lost: Usage) -> None:
        """Deletes the turns of a leaked attempt and keeps what they cost."""
        await self._write(statements.BEGIN_AGAIN, claim, _spent(lost), statements.HAS_BEGUN_AGAIN)

    async def save_judgment(self, claim: Claim, judge: int, repeat: int, verdict: JudgeVerdict) -> None:
        values = {
            "judge": judge,
            "repeat": repeat,
            "state": verdict.state,
            "reason": verdict.reason[:60],
            "detail": verdict.detail[:2000],
            "present": verdict.present,
            "polarity": claim.measure.brief.polarity,
            "justification": verdict.justification,
            "evidence": Jsonb([asdict(evidence) for evidence in verdict.evidence]),
            "first_turn": verdict.first_turn,
            "corrected_later": verdict.corrected_later,
            "raw_reply": verdict.raw_reply,
            **_spent(verdict.usage),
            "latency_ms": verdict.usage.latency_ms,
            "usage": Jsonb(list(verdict.usage.raw)),
        }
        await self._write(statements.SAVE_JUDGMENT, claim, values, statements.JUDGMENT_IS_SAVED)

    async def all_judged(self, claim: Claim) -> None:
        await self._write(statements.ALL_JUDGED, claim, {}, statements.IS_JUDGED)

    async def hand_back(self, claim: Claim, lost: Usage) -> None:
        """Gives the lease back at once, so that any worker may go on from the last saved turn."""
        await self._write(statements.HAND_BACK, claim, _spent(lost), statements.IS_HANDED_BACK)

    async def renew(self, ids: list[int], seconds: float) -> None:
        values = {"ids": ids, "seconds": seconds, "owner": self._owner}
        await self._writer.write(statements.RENEW_LEASES, values)

    async def _write(self, statement: str, claim: Claim, values: dict[str, Any], confirmation: str) -> None:
        await self._writer.write(statement, {"id": claim.id, "owner": self._owner, **values}, confirmation=confirmation)


def _spent(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "retries": usage.retries,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
    }


def _by_role(usage: Usage) -> dict[str, Any]:
    cost = usage.cost_usd
    return {
        "calls": usage.calls,
        "retries": usage.retries,
        "input_tokens": usage.input_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": None if cost is None else f"{cost:f}",
        "latency_ms": usage.latency_ms,
    } | ({"raw": list(usage.raw)} if usage.raw else {})
