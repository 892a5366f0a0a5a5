"""A budget whose Redis forgets, as one does that keeps nothing and was killed."""

import asyncio
from decimal import Decimal

from evaluation.workers.budget import Budget, BudgetReachedError
from evaluation.workers.callers import open_redis

RUN = 987_654


def test_spent_money_is_asked_of_the_database_when_redis_has_forgotten_it() -> None:
    assert asyncio.run(_outcomes_after_forgetting("0.50")) == ["made", "refused"]


def test_nothing_spent_means_that_all_is_left() -> None:
    assert asyncio.run(_outcomes_after_forgetting("0.00")) == ["made", "made"]


async def _outcomes_after_forgetting(saved: str) -> list[str]:
    """Two calls of 0.60 under a budget of 1.00, and before the second one Redis forgets what the first one cost.

    The database says `saved` only from then on.
    """
    redis = open_redis()
    known = [Decimal(0), Decimal(saved)]

    async def saved_usd() -> Decimal:
        return known.pop(0)

    budget = Budget(redis, run=RUN, owner="test", budget_usd=Decimal("1.00"), saved_usd=saved_usd)
    await _forget(budget)
    await budget.begin()
    outcomes = []
    for _ in range(2):
        try:
            async with budget.set_aside(Decimal("0.60")):
                outcomes.append("made")
        except BudgetReachedError:
            outcomes.append("refused")
        await budget.close()
        await _forget(budget)
    await redis.aclose()
    return outcomes


async def _forget(budget: Budget) -> None:
    await budget._redis.delete(budget._spent_key, budget._reserved_key)
