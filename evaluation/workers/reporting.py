"""A worker's word about the calls it is making for a run, for the page and for whoever works on it next."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

from redis.asyncio import Redis
from redis.exceptions import RedisError

from evaluation.services.worker_reports import CallsNow, calls_key, decoded_calls, encoded_calls
from evaluation.workers.circuit import Circuit

logger = logging.getLogger(__name__)

_KEEP_SECONDS = 3600


class Report:
    """What one worker says in Redis of one run; nothing depends on its arriving."""

    def __init__(self, redis: Redis, *, run: int, owner: str) -> None:
        self._redis = redis
        self._key = calls_key(run)
        self._owner = owner

    async def adopt_rests(self, circuit: Circuit) -> None:
        """Lets models rest that were resting when an earlier slice of work ended."""
        try:
            reports = await self._redis.hgetall(self._key)
        except RedisError as error:
            logger.warning("nobody knows which models rest: %s", type(error).__name__)
            return
        for _, models in map(decoded_calls, reports.values()):
            for slug, found in models.items():
                if found.rests_until > max(time.time(), circuit.rest_of(slug)[1]):
                    circuit.adopt(slug, rests=found.rests, rests_until=found.rests_until, reason=found.reason)

    async def say(self, circuit: Circuit, calls: Mapping[str, tuple[int, int]]) -> None:
        """Calls in flight and held by model, and which models rest."""
        found = {}
        for slug, (in_flight, held) in calls.items():
            rests, rests_until, reason = circuit.rest_of(slug)
            found[slug] = CallsNow(in_flight, held, rests_until, rests, reason)
        try:
            seconds, microseconds = await self._redis.time()
            await self._redis.hset(self._key, self._owner, encoded_calls(seconds + microseconds / 1e6, found))
            await self._redis.expire(self._key, _KEEP_SECONDS)
        except RedisError as error:
            logger.warning("the page does not learn what is under way: %s", type(error).__name__)

    async def close(self, circuit: Circuit, calls: Mapping[str, tuple[int, int]]) -> None:
        """Takes the report back, unless it tells the next one that a model rests."""
        if any(circuit.rests(slug) for slug in calls):
            await self.say(circuit, dict.fromkeys(calls, (0, 0)))
            return
        try:
            await self._redis.hdel(self._key, self._owner)
        except RedisError as error:
            logger.warning("a report of calls stays until it is old: %s", type(error).__name__)
