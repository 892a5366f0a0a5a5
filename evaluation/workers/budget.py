"""A run's budget, shared by all workers through Redis: what is spent, and what is set aside for calls under way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import ROUND_UP, Decimal
from typing import Any

from redis.asyncio import Redis

from evaluation.engine.types import Completion

_NANO = Decimal(10) ** 9  # counted in whole billionths of a dollar: sums in Redis stay exact
_KEEP_SECONDS = 30 * 24 * 3600
_RESERVATION_SECONDS = 30
_SECONDS_BETWEEN_LOOKS = 0.2

# Sets an amount aside for a worker: 1 = done; 0 = there is not enough left; -1 = not enough while other calls are
# under way, whose reservations may turn out too high. What dead workers had set aside runs out by itself.
_RESERVE = """
local clock = redis.call('TIME')
local now = tonumber(clock[1])
local amount, budget = tonumber(ARGV[1]), tonumber(ARGV[2])
local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
local reserved = 0
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  local held, untl = string.match(all[i + 1], '^(%d+) (%d+)$')
  if tonumber(untl) < now then redis.call('HDEL', KEYS[2], all[i]) else reserved = reserved + tonumber(held) end
end
if spent + amount > budget then return 0 end
if spent + reserved + amount > budget then return -1 end
local mine = tonumber(string.match(redis.call('HGET', KEYS[2], ARGV[3]) or '0 0', '^(%d+)'))
redis.call('HSET', KEYS[2], ARGV[3], string.format('%d %d', mine + amount, now + tonumber(ARGV[4])))
return 1
"""

_SETTLE = """
local clock = redis.call('TIME')
local saved = redis.call('HGET', KEYS[2], ARGV[3])
if saved then
  local mine = math.max(0, tonumber(string.match(saved, '^(%d+)')) - tonumber(ARGV[1]))
  redis.call('HSET', KEYS[2], ARGV[3], string.format('%d %d', mine, clock[1] + tonumber(ARGV[4])))
end
redis.call('INCRBY', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 0
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
    """Leave to spend. Every call sets its likely cost aside first and settles it with the true one afterwards."""

    def __init__(self, redis: Redis, *, run: int, owner: str, budget_usd: Decimal) -> None:
        self._redis = redis
        self._owner = owner
        self._budget = _nano(budget_usd)
        self._spent_key = f"impactbench:run:{run}:spent"
        self._reserved_key = f"impactbench:run:{run}:reserved"
        self._reserve = redis.register_script(_RESERVE)
        self._settle = redis.register_script(_SETTLE)
        self._renew = redis.register_script(_RENEW)
        self._renewed_at = 0.0

    async def begin(self, spent_usd: Decimal) -> None:
        """Takes over what the database knows to be spent, where Redis knows nothing or less."""
        known = await self._redis.get(self._spent_key)
        if known is None or int(known) < _nano(spent_usd):
            await self._redis.set(self._spent_key, _nano(spent_usd), ex=_KEEP_SECONDS)

    @asynccontextmanager
    async def set_aside(self, usd: Decimal) -> AsyncIterator[Spending]:
        """Sets `usd` aside while a call is made. Raises BudgetReachedError when so much is not left."""
        amount, spending = _nano(usd), Spending(usd)
        while (answer := await self._ask(amount)) != 1:
            if answer == 0:
                raise BudgetReachedError
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        try:
            yield spending
        finally:
            values: list[Any] = [amount, _nano(spending.spent_usd), self._owner, _RESERVATION_SECONDS, _KEEP_SECONDS]
            await self._settle(keys=[self._spent_key, self._reserved_key], args=values)

    async def renew(self) -> None:
        """Keeps what this worker has set aside from running out; cheap to call often."""
        if time.monotonic() - self._renewed_at >= _RESERVATION_SECONDS / 4:
            self._renewed_at = time.monotonic()
            await self._renew(keys=[self._reserved_key], args=[self._owner, _RESERVATION_SECONDS])

    async def close(self) -> None:
        await self._redis.hdel(self._reserved_key, self._owner)

    async def _ask(self, amount: int) -> int:
        values: list[Any] = [amount, self._budget, self._owner, _RESERVATION_SECONDS]
        return int(await self._reserve(keys=[self._spent_key, self._reserved_key], args=values))


class Spending:
    """What one call has cost: nothing until it is known; what was set aside where it stays unknown."""

    def __init__(self, likely_usd: Decimal) -> None:
        self._likely_usd = likely_usd
        self.spent_usd = Decimal(0)

    def note(self, completion: Completion) -> None:
        cost = completion.cost_usd
        self.spent_usd = self._likely_usd if cost is None else Decimal(str(cost))


def _nano(usd: Decimal) -> int:
    return int((usd * _NANO).to_integral_value(rounding=ROUND_UP))
