"""One conversation from wherever it was saved to its last judgment, and every way in which that can end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from evaluation.engine.conversation import hold_conversation
from evaluation.engine.judge import judge_conversation
from evaluation.engine.types import ConversationOutcome, JudgeVerdict, ModelCall, ModelCallReason, TurnRecord, Usage
from evaluation.services.running import BUDGET_REACHED
from evaluation.workers.assignment import Assignment, Judge
from evaluation.workers.budget import BudgetReachedError
from evaluation.workers.callers import Callers
from evaluation.workers.circuit import SECONDS_BETWEEN_TRIES, TRIES_TO_REACH, Circuit
from evaluation.workers.claims import Claim
from evaluation.workers.saving import Saving
from evaluation.workers.writer import LeaseLostError

logger = logging.getLogger(__name__)

FAULT_OF_OURS = "internal-error"


class HandedBackError(Exception):
    """Somebody else goes on with this conversation later."""


class ConversationWork:
    """Holds and judges conversations of one run. `stop_run` is told once why the whole run should pause."""

    def __init__(
        self,
        assignment: Assignment,
        callers: Callers,
        saving: Saving,
        circuit: Circuit,
        *,
        should_stop: Callable[[], bool],
        stop_run: Callable[[str], None],
    ) -> None:
        self._assignment = assignment
        self._callers = callers
        self._saving = saving
        self._circuit = circuit
        self._should_stop = should_stop
        self._stop_run = stop_run

    async def work_on(self, claim: Claim) -> None:
        """Ends the conversation and judges it, or hands it back. Raises only what the database refuses."""
        lost = _Lost()
        try:
            await self._hold_and_judge(claim, lost)
        except LeaseLostError:
            logger.warning("conversation %s is held by another worker now", claim.id)
        except HandedBackError:
            await self._hand_back(claim, lost)
        except BudgetReachedError:
            self._stop_run(BUDGET_REACHED)
            await self._hand_back(claim, lost)
        except asyncio.CancelledError:
            await self._hand_back(claim, lost)
            raise

    async def _hand_back(self, claim: Claim, lost: _Lost) -> None:
        try:
            await self._saving.hand_back(claim, lost.take())
        except LeaseLostError:
            logger.warning("conversation %s was held by another worker already", claim.id)

    async def _hold_and_judge(self, claim: Claim, lost: _Lost) -> None:
        if not claim.is_finished:
            outcome = await self._hold(claim, lost)
            is_failed = outcome.state == "failed"
            await self._saving.end(claim, outcome, lost.take(), is_judged=is_failed)
            if is_failed:
                return
        await self._judge(claim, lost)

    async def _hold(self, claim: Claim, lost: _Lost) -> ConversationOutcome:
        """The end of the conversation; a leaked one is held once more, an unreachable model tried again."""
        tries = 1
        while True:
            outcome = await self._hold_once(claim)
            lost.add(outcome.usage)
            if outcome.reason == "leaked" and not claim.is_second_attempt:
                await self._saving.begin_again(claim, lost.take())
                claim.is_second_attempt = True
                claim.turns.clear()
            elif not await self._try_again(outcome.reason, self._blamed(claim, outcome.reason), tries):
                return outcome
            else:
                tries += 1

    async def _hold_once(self, claim: Claim) -> ConversationOutcome:
        async def save_turn(turn: TurnRecord) -> None:
            await self._saving.save_turn(claim, turn)
            claim.turns.append(turn)

        simulator, target = self._calls_of(claim)
        try:
            outcome = await hold_conversation(
                claim.measure.brief,
                claim.scenario,
                claim.settings,
                key=claim.key,
                simulator=simulator,
                target=target,
                target_system_prompt=claim.target.system_prompt,
                saved=tuple(claim.turns),
                save_turn=save_turn,
                should_stop=self._should_stop,
            )
        except ValueError as error:  # a fault of ours must not take the other conversations with it
            logger.exception("conversation %s could not be held", claim.id)
            return ConversationOutcome("failed", FAULT_OF_OURS, detail=f"{type(error).__name__}: {error}")
        if outcome is None:
            raise HandedBackError
        return outcome

    def _calls_of(self, claim: Claim) -> tuple[ModelCall, ModelCall]:
        """The simulator and the target; in a conversation that is held to another one, as `HeldToAnother` has them."""
        simulator, target = self._callers[self._assignment.simulator.slug], self._callers[claim.target.slug]
        if not claim.held_to:
            return simulator, target
        from evaluation.studies.machine.held import HeldToAnother  # noqa: PLC0415  (pandas; other runs do without)

        held = HeldToAnother(claim.held_to, claim.turns, simulator=simulator, target=target)
        return held.simulator, held.target

    def _blamed(self, claim: Claim, reason: str) -> str:
        return self._assignment.simulator.slug if reason.startswith("simulator-") else claim.target.slug

    async def _try_again(self, reason: str, model: str, tries: int) -> bool:
        """Whether to go on from the last saved turn. Hands back what waits until its model has rested."""
        kind = cast(ModelCallReason, reason.partition("-")[2])
        if kind == "unreachable" and tries < TRIES_TO_REACH:
            if self._should_stop():
                raise HandedBackError
            await asyncio.sleep(SECONDS_BETWEEN_TRIES * tries)
            return True
        if kind == "rate-limited" and self._callers.budget_reached:
            raise BudgetReachedError
        # A rate limit says nothing about the conversation, however long it lasts.
        if kind == "rate-limited" or self._circuit.rests(model) or self._circuit.is_open(model, kind):
            raise HandedBackError
        return False

    async def _judge(self, claim: Claim, lost: _Lost) -> None:
        for judge in self._assignment.judges:
            for repeat in range(1, judge.repeats + 1):
                if (judge.id, repeat) not in claim.judged:
                    if self._should_stop():
                        raise HandedBackError
                    verdict = await self._verdict(claim, judge, lost)
                    await self._saving.save_judgment(claim, judge.id, repeat, verdict)
        await self._saving.all_judged(claim)

    async def _verdict(self, claim: Claim, judge: Judge, lost: _Lost) -> JudgeVerdict:
        """The judgment; what was spent on one that is handed back goes to `lost`."""
        used, tries = Usage(), 1
        while True:
            verdict = await judge_conversation(claim.measure.rubric, claim.turns, self._callers[judge.model.slug])
            used += verdict.usage
            try:
                if not await self._try_again(verdict.reason, judge.model.slug, tries):
                    return replace(verdict, usage=used)
            except (HandedBackError, BudgetReachedError):
                lost.add(used)
                raise
            tries += 1


class _Lost:
    """What was spent on calls that no saved turn holds, until it is written down."""

    def __init__(self) -> None:
        self._usage = Usage()

    def add(self, usage: Usage) -> None:
        self._usage += usage

    def take(self) -> Usage:
        usage, self._usage = self._usage, Usage()
        return usage
