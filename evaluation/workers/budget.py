"""A run's budget, shared by all workers through Redis: what is spent, and what is set aside for calls under way."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from decimal import ROUND_UP, Decimal
from typing import Any, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from evaluation.engine.types import Completion
from evaluation.llm.desk import Desk
from evaluation.llm.pricing import may_have_cost

Found = TypeVar("Found")

_NANO = Decimal(10) ** 9  # counted in whole billionths of a dollar: sums in Redis stay exact
_KEEP_SECONDS = 30 * 24 * 3600
_RESERVATION_SECONDS = 30
_SECONDS_BETWEEN_LOOKS = 0.2
# No money is spent while nobody counts it: so long is a Redis waited for that is away.
_SECONDS_TO_RECONNECT = 60.0

# ARGV: the budget, who we are, how long our reservation lasts and how long the keys; how many calls are settled, for
# each of them what was set aside and what it cost, then what each new call sets aside. Answers the new calls in their
# order: 1 = set aside, 0 = so much is not left; and stops at the first for which not enough is left while other calls
# are under way, whose reservations may turn out too high. What a dead worker had set aside counts as spent once its
# time is over: its calls may be on the bill, and nobody says how much they cost.
# Does and answers nothing where it does not know what is spent: a Redis that keeps nothing was started anew.
_STEP = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local now = tonumber(redis.call('TIME')[1])
local budget, me, n_back = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[5])
local mine, others = 0, 0
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  local held, untl = string.match(all[i + 1], '^(%d+) (%d+)$')
  if tonumber(untl) < now and all[i] ~= me then
    redis.call('HDEL', KEYS[2], all[i])
    redis.call('INCRBY', KEYS[1], held)
  elseif all[i] == me then mine = tonumber(held)
  else others = others + tonumber(held) end
end
local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
for i = 6, 5 + 2 * n_back, 2 do
  mine = math.max(0, mine - tonumber(ARGV[i]))
  spent = redis.call('INCRBY', KEYS[1], ARGV[i + 1])
end
local answers = {}
for i = 6 + 2 * n_back, #ARGV do
  local amount = tonumber(ARGV[i])
  if spent + amount > budget then table.insert(answers, 0)
  elseif spent + others + mine + amount > budget then break
  else
    mine = mine + amount
    table.insert(answers, 1)
  end
end
redis.call('HSET', KEYS[2], me, string.format('%d %d', mine, now + tonumber(ARGV[3])))
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return answers
"""

_RENEW = """
local clock = redis.call('TIME')
local saved = redis.call('HGET', KEYS[1], ARGV[1])
if saved then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%s %d', string.match(saved, '^(%d+)'), clock[1] + ARGV[2]))
end
return 0
"""


class BudgetReachedError(Exception):
    """The next call might pass the run's budget."""


class Budget:
    """Leave to spend. Every call sets its likely cost aside first and settles it with the true one afterwards.

    `saved_usd` asks the database what is spent: at the beginning, and when Redis has forgotten it.
    """

    def __init__(
        self, redis: Redis, *, run: int, owner: str, budget_usd: Decimal, saved_usd: Callable[[], Awaitable[Decimal]]
    ) -> None:
        self._redis = redis
        self._owner = owner
        self._saved_usd = saved_usd
        self._budget = _nano(budget_usd)
        self._spent_key = f"impactbench:run:{run}:spent"
        self._reserved_key = f"impactbench:run:{run}:reserved"
        self._script = redis.register_script(_STEP)
        self._renew = redis.register_script(_RENEW)
        self._renewed_at = 0.0
        # Each call gives back what it had set aside together with what it cost: nothing, where it was not made.
        self._desk: Desk[int, bool, tuple[int, int]] = Desk(
            self._step, undo=lambda amount, is_set_aside: (amount, 0) if is_set_aside else None
        )

    async def begin(self) -> None:
        """Takes over what the database knows to be spent, where Redis knows nothing or less."""
        await self._patiently(self._take_over)

    @asynccontextmanager
    async def set_aside(self, usd: Decimal) -> AsyncIterator[Spending]:
        """Sets `usd` aside while a call is made. Raises BudgetReachedError when so much is not left."""
        amount, spending = _nano(usd), Spending(usd)
        if not await self._desk.ask(amount):
            raise BudgetReachedError
        try:
            yield spending
        except BaseException as error:
            if may_have_cost(error):
                spending.spent_usd = usd
            raise
        finally:
            self._desk.give_back((amount, _nano(spending.spent_usd)))

    async def renew(self) -> None:
        """Keeps what this worker has set aside from running out; cheap to call often."""
        if time.monotonic() - self._renewed_at >= _RESERVATION_SECONDS / 4:
            self._renewed_at = time.monotonic()
            with contextlib.suppress(RedisError):
                await self._renew(keys=[self._reserved_key], args=[self._owner, _RESERVATION_SECONDS])

    def change_to(self, budget_usd: Decimal) -> None:
        """Another budget, from the next call on."""
        self._budget = _nano(budget_usd)

    async def close(self) -> None:
        await self._desk.close()
        await self._redis.hdel(self._reserved_key, self._owner)

    async def _step(self, asked: Sequence[int], back: Sequence[tuple[int, int]]) -> tuple[Sequence[bool], float]:
        """One command for all calls that begin and all that ended."""
        values: list[Any] = [self._budget, self._owner, _RESERVATION_SECONDS, _KEEP_SECONDS, len(back)]
        for pair in back:
            values += pair

        async def tell() -> list[int] | None:
            found: list[int] | None = await self._script(
                keys=[self._spent_key, self._reserved_key], args=[*values, *asked]
            )
            return found

        while (answers := await self._patiently(tell)) is None:
            await self.begin()
        return [answer == 1 for answer in answers], _SECONDS_BETWEEN_LOOKS

    async def _take_over(self) -> None:
        saved = _nano(await self._saved_usd())
        known = await self._redis.get(self._spent_key)
        if known is None or int(known) < saved:
            await self._redis.set(self._spent_key, saved, ex=_KEEP_SECONDS)

    async def _patiently(self, ask: Callable[[], Awaitable[Found]]) -> Found:
        """What `ask` answers; raises RedisError only when Redis is away for long. What is told twice counts twice."""
        deadline = time.monotonic() + _SECONDS_TO_RECONNECT
        while True:
            try:
                return await ask()
            except RedisError:
                if time.monotonic() >= deadline:
                    raise
                await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


class Spending:
    """What one call has cost: nothing before it was made; what was set aside where it stays unknown."""

    def __init__(self, likely_usd: Decimal) -> None:
        self._likely_usd = likely_usd
        self.spent_usd = Decimal(0)

    def note(self, completion: Completion) -> None:
        cost = completion.cost_usd
        self.spent_usd = self._likely_usd if cost is None else Decimal(str(cost))


def _nano(usd: Decimal) -> int:
    return int((usd * _NANO).to_integral_value(rounding=ROUND_UP))
