"""Puts questions to a drafter, several at once, within a budget, and keeps each answer as it comes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.conf import settings

from evaluation.drafting.questions import Question, store
from evaluation.engine.types import Completion, Message, ModelCall, ModelCallError
from evaluation.generation.types import Drafted
from evaluation.llm.client import CallPolicy, open_client
from evaluation.llm.limits import shared_limits
from evaluation.llm.pricing import Price, likely_cost, may_have_cost, price_of
from evaluation.models import DraftingQuestion, LanguageModel
from evaluation.services.model_configurations import configuration_of
from evaluation.workers.callers import open_redis

AT_ONCE = 8
# What a question of unknown price counts under a budget; its replies are longer than those of a conversation.
UNPRICED_CALL_USD = Decimal("0.05")
# A reply may be as long as three scenarios with their anchors.
LIKELY_REPLY_TOKENS = 2500
# A drafter that cannot be reached is not asked all the rest.
_FAILURES_THAT_END_IT = 5
_FAILED_CALLS = frozenset({"unreachable", "timeout", "denied", "rate-limited", "refused"})


class BudgetEndedError(Exception):
    """The next call might pass the budget."""


@dataclass(slots=True)
class Tally:
    """What came of questions: how each ended, how many drafts were kept, how many were not asked for, and why."""

    outcomes: Counter[str] = field(default_factory=Counter)
    refusals: list[dict[str, str]] = field(default_factory=list)
    n_drafts: int = 0
    n_not_asked: int = 0
    calls: int = 0
    ended_early: str = ""

    def add(self, asked: DraftingQuestion) -> None:
        self.outcomes[asked.outcome] += 1
        self.n_drafts += asked.drafts.count()
        self.calls += asked.calls
        if asked.reason:
            self.refusals.append({"place": asked.place, "reason": asked.reason, "detail": asked.refusal})


class Wallet:
    """What may be spent in one go; a call sets its likely cost aside first and settles it afterwards."""

    def __init__(self, budget_usd: Decimal | None) -> None:
        self._budget, self._counted = budget_usd, Decimal(0)
        # What calls cost; None once that of one of them is unknown.
        self.paid_usd: Decimal | None = Decimal(0)

    def set_aside(self, usd: Decimal) -> None:
        """Raises BudgetEndedError where so much is not left."""
        if self._budget is not None and self._counted + usd > self._budget:
            raise BudgetEndedError
        self._counted += usd

    def settle(self, set_aside_usd: Decimal, cost_usd: Decimal | None) -> None:
        """Count what a call cost; where that is unknown, what was set aside for it stays counted."""
        if cost_usd is not None:
            self._counted += cost_usd - set_aside_usd
        self.paid_usd = None if cost_usd is None or self.paid_usd is None else self.paid_usd + cost_usd


class DrafterCall:
    """A ModelCall that pays from a wallet. Raises BudgetEndedError before a call that might pass the budget."""

    def __init__(self, client: ModelCall, price: Price, max_tokens: int | None, wallet: Wallet) -> None:
        self._client, self._price, self._max_tokens, self._wallet = client, price, max_tokens, wallet

    async def __call__(
        self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> Completion:
        likely = likely_usd(self._price, messages, max_tokens or self._max_tokens)
        self._wallet.set_aside(likely)
        cost: Decimal | None = None
        try:
            completion = await self._client(messages, schema=schema, max_tokens=max_tokens)
            cost = None if completion.cost_usd is None else Decimal(str(completion.cost_usd))
        except ModelCallError as error:
            cost = None if may_have_cost(error) else Decimal(0)
            raise
        finally:
            self._wallet.settle(likely, cost)
        return completion


def likely_usd(price: Price, messages: Sequence[Message], max_tokens: int | None) -> Decimal:
    """A cautious guess of what one question costs in US dollars."""
    most = max_tokens or LIKELY_REPLY_TOKENS
    return likely_cost(price, messages, most, unpriced_usd=UNPRICED_CALL_USD)


def work_off(
    questions: Sequence[Question],
    model: LanguageModel,
    wallet: Wallet,
    tally: Tally,
    *,
    told: Callable[[DraftingQuestion], None],
) -> None:
    """Ask the questions in their order, several at once; each answer is stored before its place is given to the next.

    `told` is called after each. Ends early, with the rest unasked, when the budget is reached or nobody answers.
    What was stored stays, so that the same command goes on with what is missing.
    """
    waiting = list(questions)
    with asyncio.Runner() as runner:
        drafter = runner.run(_open(model, wallet))
        try:
            under_way: dict[asyncio.Task[Drafted[Any]], Question] = {}
            while (waiting and not tally.ended_early) or under_way:
                while waiting and not tally.ended_early and len(under_way) < AT_ONCE:
                    question = waiting.pop(0)
                    under_way[runner.run(_begun(question, drafter.call))] = question
                for task in runner.run(_some_done(under_way)):
                    _settle(task, under_way.pop(task), model, tally, told)
        finally:
            runner.run(drafter.close())
    tally.n_not_asked += len(waiting)


@dataclass(frozen=True, slots=True)
class _Drafter:
    call: DrafterCall
    client: Any
    redis: Any

    async def close(self) -> None:
        await self.client.close()
        await self.redis.aclose()


async def _open(model: LanguageModel, wallet: Wallet) -> _Drafter:
    configuration, redis = configuration_of(model), open_redis()
    policy = CallPolicy(**settings.MODEL_CALLS)
    client = open_client(configuration, limits=shared_limits(configuration, redis), policy=policy)
    most = configuration.parameters.get("max_tokens")
    return _Drafter(DrafterCall(client, price_of(configuration), most, wallet), client, redis)


async def _begun(question: Question, call: ModelCall) -> asyncio.Task[Drafted[Any]]:
    async def asked() -> Drafted[Any]:
        return await question.ask(call)

    return asyncio.ensure_future(asked())


async def _some_done(tasks: dict[asyncio.Task[Drafted[Any]], Question]) -> set[asyncio.Task[Drafted[Any]]]:
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    return done


def _settle(
    task: asyncio.Task[Drafted[Any]],
    question: Question,
    model: LanguageModel,
    tally: Tally,
    told: Callable[[DraftingQuestion], None],
) -> None:
    try:
        drafted = task.result()
    except BudgetEndedError:
        tally.ended_early = "budget"
        tally.n_not_asked += 1
        return
    asked = store(question, drafted, model)
    tally.add(asked)
    told(asked)
    failed = [refusal for refusal in tally.refusals if refusal["reason"] in _FAILED_CALLS]
    if len(failed) >= _FAILURES_THAT_END_IT and not tally.n_drafts:
        tally.ended_early = f"nobody answers: {failed[-1]['detail']}"
