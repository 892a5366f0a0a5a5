"""Tries a text before it becomes a metric: its judge on examples, or one short conversation, by the real engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings

from evaluation.engine.conversation import hold_conversation
from evaluation.engine.judge import compose_rubric, judge_conversation
from evaluation.engine.types import (
    Completion,
    ConversationOutcome,
    ConversationSettings,
    Exchange,
    JudgeVerdict,
    Message,
    MetricBrief,
    ModelCall,
    ScenarioBrief,
    TurnRecord,
)
from evaluation.llm.client import CallPolicy, Client, open_client
from evaluation.llm.limits import shared_limits
from evaluation.llm.pricing import may_have_cost, price_of
from evaluation.services.model_configurations import configuration_of
from evaluation.services.trial_costs import TRIAL_TURNS, Example, PaidModel, reply_limit
from evaluation.workers.callers import open_redis

MOST_AT_ONCE = 8
# Somebody waits in front of the page: fewer attempts than a run makes.
_MOST_ATTEMPTS = 3


class PurseEmptyError(Exception):
    """A trial has spent more than was set aside for it."""


class Purse:
    """What a trial has spent of what was set aside; a call of unknown cost counts at its ceiling."""

    def __init__(self, usd: Decimal) -> None:
        self._usd = usd
        self._counted = self._known = Decimal(0)
        self._is_known = True

    @property
    def cost_usd(self) -> Decimal | None:
        """What the calls so far cost; None once one of them is unknown."""
        return self._known if self._is_known else None

    def check(self) -> None:
        """Raises PurseEmptyError when no further call may be made."""
        if self._counted > self._usd:
            raise PurseEmptyError

    def pay(self, cost_usd: Decimal | None, ceiling_usd: Decimal) -> None:
        """Note one call."""
        self._counted += ceiling_usd if cost_usd is None else cost_usd
        self._known += cost_usd or 0
        self._is_known = self._is_known and cost_usd is not None


class PaidCall:
    """A ModelCall that pays from a purse, with a limit on every reply. Raises PurseEmptyError before a call."""

    def __init__(self, client: ModelCall, paid: PaidModel, purse: Purse) -> None:
        price = price_of(configuration_of(paid.model))
        self._client, self._purse = client, purse
        self._ceiling = Decimal(0) if price.input_usd == price.output_usd == 0 else paid.ceiling_usd
        self._limit = reply_limit(paid.model)

    async def __call__(
        self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> Completion:
        self._purse.check()
        try:
            completion = await self._client(messages, schema=schema, max_tokens=max_tokens or self._limit)
        except BaseException as error:
            if may_have_cost(error):
                self._pay_unknown()
            raise
        cost = completion.cost_usd
        self._purse.pay(None if cost is None else Decimal(str(cost)), self._ceiling)
        return completion

    def _pay_unknown(self) -> None:
        self._purse.pay(None if self._ceiling else Decimal(0), self._ceiling)


@asynccontextmanager
async def open_calls(models: Mapping[str, PaidModel], purse: Purse) -> AsyncIterator[dict[str, PaidCall]]:
    """The models by their parts, for the running event loop; they share the rate limits of all workers."""
    attempts = min(_MOST_ATTEMPTS, settings.MODEL_CALLS["attempts"])
    policy = CallPolicy(**{**settings.MODEL_CALLS, "attempts": attempts})
    redis = open_redis()
    clients: dict[str, Client] = {}
    try:
        for part, paid in models.items():
            configuration = configuration_of(paid.model)
            clients[part] = open_client(configuration, limits=shared_limits(configuration, redis), policy=policy)
        yield {part: PaidCall(client, models[part], purse) for part, client in clients.items()}
    finally:
        for client in clients.values():
            await client.close()
        await redis.aclose()


async def judge_examples(
    judge: ModelCall, rubrics: Sequence[str], examples: Sequence[Example], *, judged: Callable[[], None]
) -> list[list[JudgeVerdict]]:
    """Every example read by every rubric, several at once: for each example its verdicts in the order of the rubrics.

    `judged` is called after each verdict. Never raises for what a model does; PurseEmptyError passes.
    """
    places = asyncio.Semaphore(MOST_AT_ONCE)

    async def verdict(rubric: str, example: Exchange) -> JudgeVerdict:
        async with places:
            found = await judge_conversation(rubric, [example], judge)
        judged()
        return found

    async with _purse_errors_alone(), asyncio.TaskGroup() as group:
        tasks = [[group.create_task(verdict(rubric, example)) for rubric in rubrics] for example in examples]
    return [[task.result() for task in row] for row in tasks]


@dataclass(frozen=True, slots=True)
class TriedConversation:
    """A trial conversation: its turns, how it ended, and one verdict for each metric when it did not fail."""

    turns: tuple[TurnRecord, ...]
    outcome: ConversationOutcome
    verdicts: tuple[JudgeVerdict, ...]


async def hold_trial_conversation(
    metrics: Sequence[MetricBrief],
    scenario: ScenarioBrief,
    *,
    key: str,
    simulator: ModelCall,
    target: ModelCall,
    judge: ModelCall,
    target_system_prompt: str | None = None,
    structured_simulator: bool = False,
    n_turns: int = TRIAL_TURNS,
    step_done: Callable[[], None],
) -> TriedConversation:
    """One conversation of at most `n_turns` turns about the first metric, judged by the rubric of each metric.

    Without typing edits, so that its author reads what the simulated user wrote. `step_done` is called after each turn
    and each verdict. Never raises for what a model does; PurseEmptyError passes.
    """
    turns: list[TurnRecord] = []

    async def save_turn(turn: TurnRecord) -> None:
        turns.append(turn)
        step_done()

    outcome = await hold_conversation(
        metrics[0],
        scenario,
        ConversationSettings(
            turns=n_turns, typing_edits=False, allow_cut_replies=True, structured_simulator=structured_simulator
        ),
        key=key,
        simulator=simulator,
        target=target,
        target_system_prompt=target_system_prompt,
        saved=(),
        save_turn=save_turn,
        should_stop=lambda: False,
    )
    assert outcome is not None
    verdicts = []
    for metric in metrics if outcome.state == "finished" else ():
        verdicts.append(await judge_conversation(compose_rubric(metric), turns, judge))
        step_done()
    return TriedConversation(tuple(turns), outcome, tuple(verdicts))


@asynccontextmanager
async def _purse_errors_alone() -> AsyncIterator[None]:
    """The first PurseEmptyError of a task group by itself."""
    try:
        yield
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
