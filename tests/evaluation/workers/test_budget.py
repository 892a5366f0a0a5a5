"""A run's budget over two workers, on a real Valkey."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from decimal import Decimal

import pytest
from django.conf import settings

from evaluation.engine.types import Completion, ModelCallError
from evaluation.llm.limits import redis_for_limits
from evaluation.workers.budget import Budget, BudgetReachedError


@asynccontextmanager
async def two_workers(usd: str) -> AsyncIterator[tuple[Budget, Budget]]:
    run = uuid.uuid4().int % 10**9
    connections = [redis_for_limits(settings.CACHES["default"]["LOCATION"]) for _ in range(2)]
    one, other = (
        Budget(connection, run=run, owner=f"owner-{number}", budget_usd=Decimal(usd), saved_usd=_nothing)
        for number, connection in enumerate(connections)
    )
    try:
        yield one, other
    finally:
        for budget, connection in zip((one, other), connections, strict=True):
            await budget.close()
            await connection.aclose()


async def _nothing() -> Decimal:
    return Decimal(0)


def run(usd: str, scenario: Callable[[Budget, Budget], Awaitable[object]]) -> object:
    async def within() -> object:
        async with two_workers(usd) as (one, other):
            return await scenario(one, other)

    return asyncio.run(asyncio.wait_for(within(), 30))


def completion(cost_usd: str | None) -> Completion:
    return Completion(text="", finish_reason="stop", cost_usd=None if cost_usd is None else Decimal(cost_usd))


async def is_refused(budget: Budget, usd: str) -> bool:
    try:
        async with budget.set_aside(Decimal(usd)):
            return False
    except BudgetReachedError:
        return True


def test_what_one_worker_spent_is_spent_for_the_other() -> None:
    async def scenario(one: Budget, other: Budget) -> list[bool]:
        async with one.set_aside(Decimal("0.6")) as spending:
            spending.note(completion("0.5"))
        await one.close()
        return [await is_refused(other, "0.6"), await is_refused(other, "0.5")]

    assert run("1", scenario) == [True, False]


def test_a_call_waits_while_what_others_set_aside_may_come_back() -> None:
    async def scenario(one: Budget, other: Budget) -> tuple[bool, bool]:
        async with one.set_aside(Decimal("0.9")) as spending:
            waiting = asyncio.create_task(is_refused(other, "0.5"))
            await asyncio.sleep(0.5)
            still_waits = not waiting.done()
            spending.note(completion("0.1"))
        return still_waits, await waiting

    assert run("1", scenario) == (True, False)


@pytest.mark.parametrize(
    ("reason", "is_spent"), [("timeout", True), ("bad-reply", True), ("rate-limited", False), ("unreachable", False)]
)
def test_a_failed_call_counts_what_was_set_aside_where_it_may_be_on_the_bill(reason: str, is_spent: bool) -> None:
    async def scenario(one: Budget, other: Budget) -> bool:
        with pytest.raises(ModelCallError):
            async with one.set_aside(Decimal("0.6")):
                raise ModelCallError(reason, "scripted")  # type: ignore[arg-type]
        await one.close()
        return await is_refused(other, "0.6")

    assert run("1", scenario) is is_spent


def test_a_reply_of_unknown_price_counts_what_was_set_aside() -> None:
    async def scenario(one: Budget, other: Budget) -> bool:
        async with one.set_aside(Decimal("0.6")) as spending:
            spending.note(completion(None))
        await one.close()
        return await is_refused(other, "0.6")

    assert run("1", scenario) is True


def test_what_a_dead_worker_had_set_aside_counts_as_spent_once_its_time_is_over() -> None:
    async def scenario(one: Budget, other: Budget) -> list[bool]:
        before = await is_refused(other, "0.6")
        await other._redis.hset(other._reserved_key, "killed", "600000000 1")  # 0.6 dollars, until 1970
        return [before, await is_refused(other, "0.6"), await is_refused(other, "0.4")]

    assert run("1", scenario) == [False, True, False]


def test_many_calls_at_once_never_set_more_aside_than_there_is() -> None:
    async def scenario(one: Budget, other: Budget) -> tuple[int, bool]:
        open_now = most = Decimal(0)
        made = 0

        async def call(budget: Budget) -> None:
            nonlocal open_now, most, made
            async with budget.set_aside(Decimal("0.1")) as spending:
                open_now += Decimal("0.1")
                most = max(most, open_now)
                await asyncio.sleep(0.01)
                spending.note(completion("0.01"))
                made += 1
                open_now -= Decimal("0.1")

        await asyncio.gather(*(call(budget) for budget in (one, other) for _ in range(40)))
        return made, most <= 1

    assert run("1", scenario) == (80, True)
