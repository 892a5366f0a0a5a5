"""The models of a run as the engine calls them: one client each, behind the run's budget and circuit."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings
from redis.asyncio import Redis

from evaluation.engine.types import Completion, Message, ModelCallError
from evaluation.llm.client import CallPolicy, Client, open_client
from evaluation.llm.configuration import ModelConfiguration
from evaluation.llm.limits import redis_for_limits, shared_limits
from evaluation.llm.pricing import likely_cost, price_of
from evaluation.workers.assignment import Assignment
from evaluation.workers.budget import Budget, BudgetReachedError
from evaluation.workers.circuit import Circuit


class Caller:
    """A ModelCall for one model.

    A call that might pass the budget is not made: it fails as `rate-limited`, which ends no conversation, and
    `budget_reached` says why.
    """

    def __init__(
        self,
        client: Client,
        configuration: ModelConfiguration,
        circuit: Circuit,
        budget: Budget | None,
        unpriced_usd: Decimal,
    ) -> None:
        self._client = client
        self._slug = configuration.slug
        self._max_tokens = configuration.parameters.get("max_tokens")
        self._price = price_of(configuration)
        self._circuit = circuit
        self._budget = budget
        self._unpriced_usd = unpriced_usd
        self.budget_reached = False

    async def __call__(
        self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> Completion:
        if self._circuit.rests(self._slug):
            raise ModelCallError(self._circuit.reason_to_rest(self._slug), "it rests", calls=0)
        try:
            completion = await self._paid_call(messages, schema, max_tokens)
        except BudgetReachedError as error:
            self.budget_reached = True
            raise ModelCallError("rate-limited", "the budget is reached", calls=0) from error
        except ModelCallError as error:
            self._circuit.failed(self._slug, error.reason, error.detail, error.retry_after)
            raise
        self._circuit.succeeded(self._slug)
        return completion

    async def _paid_call(
        self, messages: Sequence[Message], schema: dict[str, Any] | None, max_tokens: int | None
    ) -> Completion:
        if self._budget is None:
            return await self._client(messages, schema=schema, max_tokens=max_tokens)
        most = max_tokens or self._max_tokens
        likely = likely_cost(self._price, messages, most, unpriced_usd=self._unpriced_usd)
        async with self._budget.set_aside(likely) as spending:
            completion = await self._client(messages, schema=schema, max_tokens=max_tokens)
            spending.note(completion)
            return completion


class Callers:
    """All models of a run, opened for one event loop."""

    def __init__(self, assignment: Assignment, circuit: Circuit, budget: Budget | None) -> None:
        self._redis = open_redis()
        self._clients: list[Client] = []
        self._callers: dict[str, Caller] = {}
        policy = CallPolicy(**settings.MODEL_CALLS)
        for role in assignment.roles:
            configuration = role.configuration
            limits = shared_limits(configuration, self._redis)
            client = open_client(configuration, limits=limits, policy=policy)
            self._clients.append(client)
            self._callers[role.slug] = Caller(client, configuration, circuit, budget, assignment.unpriced_call_usd)

    def __getitem__(self, slug: str) -> Caller:
        return self._callers[slug]

    @property
    def budget_reached(self) -> bool:
        """True once a call was not made because of the budget."""
        return any(caller.budget_reached for caller in self._callers.values())

    def calls(self) -> dict[str, tuple[int, int]]:
        """Calls in flight and calls held back, by model."""
        return {client.configuration.slug: (client.in_flight, client.held) for client in self._clients}

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
        await self._redis.aclose()


def open_redis() -> Redis:
    """A connection to the Redis that all workers share, for the running loop."""
    return redis_for_limits(settings.CACHES["default"]["LOCATION"])
