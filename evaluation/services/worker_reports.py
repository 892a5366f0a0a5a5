"""What workers say of themselves while they live: the names of the keys they have, and the calls they are making.

It lives in Redis and means nothing a few seconds later; without Redis nothing is known, and nobody is held up.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from evaluation.services.lease_owners import is_known_dead

logger = logging.getLogger(__name__)

KEYS_FRESH_SECONDS = 45
CALLS_FRESH_SECONDS = 10
# So long may a worker take from being asked for a run until it says that it is at it.
ASKED_FRESH_SECONDS = 20
_KEYS = "impactbench:workers:keys"
_HASH_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class CallsNow:
    """One model in one run, over all workers: calls under way, and calls held back by a limit.

    `rests_until` (seconds of the epoch) says that the model is left alone until then, after `rests` rests in a row.
    """

    in_flight: int = 0
    held: int = 0
    rests_until: float = 0.0
    rests: int = 0
    reason: str = ""

    @property
    def is_resting(self) -> bool:
        return self.rests_until > time.time()

    def __add__(self, other: CallsNow) -> CallsNow:
        later = self if self.rests_until >= other.rests_until else other
        return CallsNow(
            self.in_flight + other.in_flight,
            self.held + other.held,
            later.rests_until,
            max(self.rests, other.rests),
            later.reason,
        )


def report_keys(owner: str, names: Iterable[str]) -> None:
    """Says which variables with keys of models a worker has; names only, never a value."""
    redis = _redis()
    redis.hset(_KEYS, owner, json.dumps({"at": _now(redis), "names": sorted(names)}))
    redis.expire(_KEYS, _HASH_SECONDS)


def forget_keys(owner: str) -> None:
    """Takes a worker's report back as it ends."""
    _redis().hdel(_KEYS, owner)


def known_keys() -> frozenset[str] | None:
    """The key variables that at least one living worker has; None when no worker says anything."""
    try:
        reports = _fresh(_KEYS, KEYS_FRESH_SECONDS)
    except RedisError as error:
        logger.warning("nobody knows which keys workers have: %s", type(error).__name__)
        return None
    return frozenset(name for report in reports for name in report["names"]) if reports else None


def calls_key(run_id: int) -> str:
    """The hash in which the workers of a run report their calls, by owner."""
    return f"impactbench:run:{run_id}:calls"


def encoded_calls(at: float, calls: Mapping[str, CallsNow]) -> str:
    """A worker's report; `at` is the time of Redis."""
    return json.dumps({"at": at, "models": {slug: asdict(found) for slug, found in calls.items()}})


def decoded_calls(report: bytes | str) -> tuple[float, dict[str, CallsNow]]:
    """When it was made, and what it says."""
    found = json.loads(report)
    return float(found["at"]), {slug: CallsNow(**values) for slug, values in found["models"].items()}


def calls_now(run_id: int) -> dict[str, CallsNow]:
    """What the living workers of a run are asking of each model, by slug; empty when nobody says anything."""
    try:
        redis = _redis()
        reports: dict[bytes, bytes] = redis.hgetall(calls_key(run_id))  # type: ignore[assignment]
        now = _now(redis) if reports else 0.0
    except RedisError as error:
        logger.warning("nobody knows what workers are asking: %s", type(error).__name__)
        return {}
    together: dict[str, CallsNow] = {}
    for at, models in map(decoded_calls, reports.values()):
        for slug, calls in models.items():
            if now - at <= CALLS_FRESH_SECONDS:
                together[slug] = together.get(slug, CallsNow()) + calls
            elif calls.rests_until > now:  # a worker between two slices
                rest = replace(calls, in_flight=0, held=0)
                together[slug] = together.get(slug, CallsNow()) + rest
    return together


def forget_calls(run_id: int) -> None:
    """Begins anew: no model is believed to rest any more."""
    with contextlib.suppress(RedisError):
        _redis().delete(calls_key(run_id))


def runners_now(run_id: int) -> int:
    """How many workers say that they are at a run, and live as far as we know.

    Raises RedisError where nobody can say so.
    """
    redis = _redis()
    reports: dict[bytes, bytes] = redis.hgetall(calls_key(run_id))  # type: ignore[assignment]
    now = _now(redis) if reports else 0.0
    fresh = [owner for owner, report in reports.items() if now - decoded_calls(report)[0] <= CALLS_FRESH_SECONDS]
    return sum(not is_known_dead(owner.decode()) for owner in fresh)


def workers_now(run_id: int) -> int:
    """The same, and 0 where nobody can say so."""
    try:
        return runners_now(run_id)
    except RedisError as error:
        logger.warning("nobody knows which workers are at a run: %s", type(error).__name__)
        return 0


def note_asked(run_id: int) -> None:
    """Remembers for some seconds that workers were asked for a run, so that nobody asks again meanwhile."""
    with contextlib.suppress(RedisError):
        _redis().set(_asked_key(run_id), 1, ex=ASKED_FRESH_SECONDS)


def was_asked(run_id: int) -> bool:
    """Whether workers were asked for a run just now. Raises RedisError where nobody can say so."""
    return bool(_redis().exists(_asked_key(run_id)))


def _asked_key(run_id: int) -> str:
    return f"impactbench:run:{run_id}:asked"


def _fresh(key: str, seconds: float) -> list[dict[str, Any]]:
    redis = _redis()
    reports: dict[bytes, bytes] = redis.hgetall(key)  # type: ignore[assignment]
    now = _now(redis) if reports else 0.0
    return [found for found in map(json.loads, reports.values()) if now - found["at"] <= seconds]


def _now(redis: Redis) -> float:
    seconds, microseconds = redis.time()
    return float(seconds) + float(microseconds) / 1e6


@cache
def _redis() -> Redis:
    options: dict[str, Any] = {"socket_timeout": 2, "socket_connect_timeout": 2}
    return Redis.from_url(settings.CACHES["default"]["LOCATION"], **options)
