"""Rate limits shared by all workers through Redis: requests and tokens per minute, calls in flight."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import uuid
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from evaluation.llm.configuration import ModelConfiguration

logger = logging.getLogger(__name__)

_LEASE_MS = 15_000
_RENEW_SECONDS = 4.0
_LONGEST_WAIT_MS = 1_000
_IDLE_MS = 180_000

# Two token buckets and one set of leases, decided in one step and by the clock of the server. A bucket holds a
# sixth of the minute's allowance and fills by the rest, so that no window of 60 seconds passes more than the limit.
# Returns 0 when admitted, else the milliseconds after which another try is worth it.
_ADMIT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local wait = 0
local function level(key, capacity, per_ms)
  local saved = redis.call('HMGET', key, 'level', 'at')
  if not saved[1] then return capacity end
  return math.min(capacity, tonumber(saved[1]) + (now - tonumber(saved[2])) * per_ms)
end
local function bucket(key, limit, need, whole)
  if limit == 0 then return nil end
  local capacity = math.max(1, math.floor(limit / 6))
  local per_ms = (limit - capacity + whole) / 60000
  need = math.min(need, capacity)
  local left = level(key, capacity, per_ms)
  if left < need then wait = math.max(wait, math.ceil((need - left) / per_ms)) end
  return left - need
end
local requests = bucket(KEYS[1], tonumber(ARGV[1]), 1, 1)
local tokens = bucket(KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3]), 0)
local most = tonumber(ARGV[4])
if most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
  if redis.call('ZCARD', KEYS[3]) >= most then wait = math.max(wait, 50) end
end
if wait > 0 then return wait end
local function keep(key, value)
  if value then
    redis.call('HSET', key, 'level', tostring(value), 'at', now)
    redis.call('PEXPIRE', key, ARGV[6])
  end
end
keep(KEYS[1], requests)
keep(KEYS[2], tokens)
if most > 0 then
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[5]), ARGV[7])
  redis.call('PEXPIRE', KEYS[3], ARGV[6])
end
return 0
"""

# Gives the lease back and settles the difference between the tokens foreseen and the tokens used.
_SETTLE = """
redis.call('ZREM', KEYS[2], ARGV[1])
local difference = tonumber(ARGV[2])
if difference ~= 0 then
  local saved = redis.call('HGET', KEYS[1], 'level')
  if saved then redis.call('HSET', KEYS[1], 'level', tostring(tonumber(saved) + difference)) end
end
return 0
"""

_RENEW = """
local clock = redis.call('TIME')
local untl = clock[1] * 1000 + math.floor(clock[2] / 1000) + tonumber(ARGV[1])
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', untl, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1] * 12)
return 0
"""


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to make one request; given back with `Limits.release`."""

    lease: str
    tokens: int


class Limits(Protocol):
    """Leave to make requests of one model. `waiting` is how many of this process wait for it."""

    waiting: int

    async def acquire(self, tokens: int) -> Permit | None:
        """Waits for leave to send a request that is expected to use `tokens`."""

    async def release(self, permit: Permit | None, tokens_used: int | None) -> None:
        """Gives `permit` back; `tokens_used` replaces the expectation, None keeps it."""

    async def close(self) -> None: ...


class NoLimits:
    """For models without limits: everything passes at once, without a word to Redis."""

    waiting = 0

    async def acquire(self, tokens: int) -> Permit | None:  # noqa: ARG002  (the interface's)
        return None

    async def release(self, permit: Permit | None, tokens_used: int | None) -> None:  # noqa: ARG002  (same)
        return None

    async def close(self) -> None:
        return None


class SharedLimits:
    """The limits of one model slug over all workers that use the same Redis.

    Leases of calls in flight run out in seconds unless renewed, so a killed worker's places come back by
    themselves. Should Redis be away, calls are let through: the provider's own 429 is the second line.

    A cancellation takes effect at once and never reaches a command that is under way: redis-py can swallow it there,
    and who waits for a place would then wait for ever. A place that is given after all is given back.
    """

    def __init__(self, redis: Redis, configuration: ModelConfiguration, *, lease_ms: int = _LEASE_MS) -> None:
        self._redis = redis
        self.waiting = 0
        prefix = f"impactbench:limits:{{{configuration.slug}}}"
        self._requests_key, self._tokens_key = f"{prefix}:requests", f"{prefix}:tokens"
        self._leases_key = f"{prefix}:leases"
        self._requests = configuration.requests_per_minute or 0
        self._tokens = configuration.tokens_per_minute or 0
        self._most = configuration.max_in_flight or 0
        self._lease_ms = lease_ms
        self._held: set[str] = set()
        self._renewal: asyncio.Task[None] | None = None
        self._unwanted: set[asyncio.Task[None]] = set()
        self._queue = asyncio.Lock()
        self._admit = redis.register_script(_ADMIT)
        self._settle = redis.register_script(_SETTLE)
        self._renew = redis.register_script(_RENEW)

    async def acquire(self, tokens: int) -> Permit | None:
        """Waits for leave; within this process first come first served, so that only one waiter asks Redis."""
        lease = uuid.uuid4().hex
        self.waiting += 1
        try:
            async with self._queue:
                while wait_ms := await self._ask(lease, tokens):
                    jitter = 1 + random.random() / 4  # noqa: S311  (jitter, not a secret)
                    await asyncio.sleep(min(wait_ms, _LONGEST_WAIT_MS) * jitter / 1000)
        except RedisError as error:
            logger.warning("shared rate limits are out of reach, calls go on without: %s", type(error).__name__)
            return None
        finally:
            self.waiting -= 1
        if self._most:
            self._held.add(lease)
            if self._renewal is None:
                self._renewal = asyncio.create_task(self._keep_renewing())
        return Permit(lease, tokens)

    async def release(self, permit: Permit | None, tokens_used: int | None) -> None:
        """Gives the place back and settles the tokens; does not ask Redis when there is nothing to tell."""
        if permit is None:
            return
        self._held.discard(permit.lease)
        used = permit.tokens if tokens_used is None else tokens_used
        difference = permit.tokens - used if self._tokens else 0
        if not self._most and not difference:
            return
        with contextlib.suppress(RedisError):  # an unreleased lease runs out by itself
            args: list[str | int] = [permit.lease, difference]
            await _undisturbed(self._settle(keys=[self._tokens_key, self._leases_key], args=args))

    async def close(self) -> None:
        """Stops renewing and gives back what is still held."""
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)
            self._renewal = None
        await asyncio.gather(*self._unwanted)
        for lease in list(self._held):
            await self.release(Permit(lease, 0), 0)

    async def _ask(self, lease: str, tokens: int) -> int:
        keys = [self._requests_key, self._tokens_key, self._leases_key]
        args: list[str | int] = [self._requests, self._tokens, tokens, self._most, self._lease_ms, _IDLE_MS, lease]
        answer = asyncio.ensure_future(self._admit(keys=keys, args=args))
        try:
            return int(await asyncio.shield(answer))
        except asyncio.CancelledError:
            giving_back = asyncio.create_task(self._give_back(answer, Permit(lease, tokens)))
            self._unwanted.add(giving_back)
            giving_back.add_done_callback(self._unwanted.discard)
            raise

    async def _give_back(self, answer: asyncio.Future[Any], permit: Permit) -> None:
        """Return the place of one who was cancelled while Redis was giving it."""
        with contextlib.suppress(RedisError):
            if int(await answer) == 0:
                await self.release(permit, 0)

    async def _keep_renewing(self) -> None:
        pause = min(_RENEW_SECONDS, self._lease_ms / 4000)
        while True:
            await asyncio.sleep(pause)
            if self._held:
                with contextlib.suppress(RedisError):
                    arguments: list[str | int] = [self._lease_ms, *self._held]
                    await _undisturbed(self._renew(keys=[self._leases_key], args=arguments))


async def _undisturbed(command: Awaitable[Any]) -> Any:
    """The answer to a command, which goes on to its end should the one who waits for it be cancelled."""
    return await asyncio.shield(asyncio.ensure_future(command))


def shared_limits(configuration: ModelConfiguration, redis: Redis | None) -> Limits:
    """The limits of `configuration`: shared through `redis`, or none when it sets none or there is no Redis.

    The connection is the caller's to close.
    """
    if redis is None or not configuration.has_limits:
        return NoLimits()
    return SharedLimits(redis, configuration)


def redis_for_limits(url: str) -> Redis:
    """An asynchronous Redis connection for the running event loop, impatient enough never to hold up a run."""
    options: dict[str, Any] = {"socket_timeout": 5, "socket_connect_timeout": 5}
    return Redis.from_url(url, **options)
