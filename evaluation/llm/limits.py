"""Rate limits shared by all workers through Redis: requests and tokens per minute, calls in flight."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from evaluation.llm.configuration import ModelConfiguration
from evaluation.llm.desk import Desk

logger = logging.getLogger(__name__)

_LEASE_MS = 15_000
_RENEW_SECONDS = 4.0
_LONGEST_WAIT_MS = 1_000
_IDLE_MS = 180_000

# Two token buckets and one set of leases, decided in one step and by the clock of the server. A bucket holds a
# sixth of the minute's allowance and fills by the rest, so that no window of 60 seconds passes more than the limit.
# Some requests take longer than others to arrive once admitted, and the provider counts what arrives: therefore the
# rest takes a second longer than the minute. A call of more tokens than the bucket holds begins when that is full and
# leaves a debt, which the next calls wait out.
# ARGV: the three limits, the life of a lease and of the keys, how many places come back; then for each of those its
# lease and the tokens that were foreseen but not used, and for each call that wants a place its lease and its tokens.
# Returns how many of the calls are admitted, in their order, and the milliseconds after which the next may ask again.
_STEP = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local most, lease_ms, idle_ms, n_back = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
local unused = 0
for i = 7, 6 + 2 * n_back, 2 do
  if most > 0 then redis.call('ZREM', KEYS[3], ARGV[i]) end
  unused = unused + tonumber(ARGV[i + 1])
end
local function bucket(key, limit, whole)
  if limit == 0 then return nil end
  local capacity = math.max(1, math.floor(limit / 6))
  local per_ms = (limit - capacity + whole) / 61000
  local saved = redis.call('HMGET', key, 'level', 'at')
  local left = capacity
  if saved[1] then left = math.min(capacity, tonumber(saved[1]) + (now - tonumber(saved[2])) * per_ms) end
  return { capacity = capacity, per_ms = per_ms, left = left }
end
local requests = bucket(KEYS[1], tonumber(ARGV[1]), 1)
local tokens = bucket(KEYS[2], tonumber(ARGV[2]), 0)
if tokens then tokens.left = math.min(tokens.capacity, tokens.left + unused) end
local free = 0
if most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
  free = most - redis.call('ZCARD', KEYS[3])
end
local admitted, wait = 0, 0
local function lacking(bucket, need)
  if bucket and bucket.left < need then return math.ceil((need - bucket.left) / bucket.per_ms) end
  return 0
end
for i = 7 + 2 * n_back, #ARGV, 2 do
  local need = tonumber(ARGV[i + 1])
  wait = math.max(lacking(requests, 1), tokens and lacking(tokens, math.min(need, tokens.capacity)) or 0)
  if most > 0 and free < 1 then wait = math.max(wait, 50) end
  if wait > 0 then break end
  admitted = admitted + 1
  if requests then requests.left = requests.left - 1 end
  if tokens then tokens.left = tokens.left - need end
  if most > 0 then
    free = free - 1
    redis.call('ZADD', KEYS[3], now + lease_ms, ARGV[i])
  end
end
local function keep(key, bucket)
  if bucket then
    redis.call('HSET', key, 'level', tostring(bucket.left), 'at', now)
    redis.call('PEXPIRE', key, idle_ms)
  end
end
keep(KEYS[1], requests)
keep(KEYS[2], tokens)
if most > 0 then redis.call('PEXPIRE', KEYS[3], idle_ms) end
return { admitted, wait }
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
    """Leave to make requests of one model."""

    @property
    def waiting(self) -> int:
        """How many of this process wait for it."""

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
    """

    def __init__(self, redis: Redis, configuration: ModelConfiguration, *, lease_ms: int = _LEASE_MS) -> None:
        prefix = f"impactbench:limits:{{{configuration.slug}}}"
        self._leases_key = f"{prefix}:leases"
        self._keys = [f"{prefix}:requests", f"{prefix}:tokens", self._leases_key]
        self._requests = configuration.requests_per_minute or 0
        self._tokens = configuration.tokens_per_minute or 0
        self._most = configuration.max_in_flight or 0
        self._lease_ms = lease_ms
        self._held: set[str] = set()
        self._renewal: asyncio.Task[None] | None = None
        self._script = redis.register_script(_STEP)
        self._renew = redis.register_script(_RENEW)
        # Who is cancelled while a place is being given to it gives the place and all its tokens back.
        self._desk: Desk[Permit, bool, Permit] = Desk(self._step, undo=lambda permit, _: permit)

    @property
    def waiting(self) -> int:
        return self._desk.waiting

    async def acquire(self, tokens: int) -> Permit | None:
        """Waits for leave; within this process first come, first served."""
        permit = Permit(uuid.uuid4().hex, tokens)
        try:
            await self._desk.ask(permit)
        except RedisError as error:
            logger.warning("shared rate limits are out of reach, calls go on without: %s", type(error).__name__)
            return None
        if self._most:
            self._held.add(permit.lease)
            if self._renewal is None:
                self._renewal = asyncio.create_task(self._keep_renewing())
        return permit

    async def release(self, permit: Permit | None, tokens_used: int | None) -> None:
        """Gives the place back and settles the tokens; does not tell Redis when there is nothing to tell."""
        if permit is None:
            return
        self._held.discard(permit.lease)
        used = permit.tokens if tokens_used is None else tokens_used
        if self._most or (self._tokens and used != permit.tokens):
            self._desk.give_back(Permit(permit.lease, permit.tokens - used))

    async def close(self) -> None:
        """Stops renewing and gives back what is still held."""
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)
            self._renewal = None
        for lease in list(self._held):
            await self.release(Permit(lease, 0), 0)
        await self._desk.close()

    async def _step(self, asked: Sequence[Permit], back: Sequence[Permit]) -> tuple[Sequence[bool], float]:
        """One command for all who wait and all who are done; a permit given back names the tokens it did not use."""
        args: list[str | int] = [self._requests, self._tokens, self._most, self._lease_ms, _IDLE_MS, len(back)]
        for permit in (*back, *asked):
            args += (permit.lease, permit.tokens)
        admitted, wait_ms = await self._script(keys=self._keys, args=args)
        jitter = 1 + random.random() / 4  # noqa: S311  (jitter, not a secret)  # nosec B311
        return [True] * admitted, min(wait_ms, _LONGEST_WAIT_MS) * jitter / 1000

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
