"""Shared limits, on a real Valkey."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from django.conf import settings
from redis.asyncio import Redis

from evaluation.llm.client import ModelConfiguration, open_client
from evaluation.llm.limits import NoLimits, SharedLimits, redis_for_limits, shared_limits
from tests.evaluation.llm.conftest import HELLO, QUICK
from tests.support.llm_server import ScriptedLLM


def configuration(**limits: int) -> ModelConfiguration:
    return ModelConfiguration(f"m-{uuid.uuid4().hex}", "openai/target", **limits)  # type: ignore[arg-type]


@asynccontextmanager
async def two_workers(lease_ms: int = 15_000, **limits: int) -> AsyncIterator[tuple[SharedLimits, SharedLimits]]:
    shared = configuration(**limits)
    connections = [redis_for_limits(settings.CACHES["default"]["LOCATION"]) for _ in range(2)]
    one, other = (SharedLimits(connection, shared, lease_ms=lease_ms) for connection in connections)
    try:
        yield one, other
    finally:
        for limits_of_worker, connection in zip((one, other), connections, strict=True):
            await limits_of_worker.close()
            await connection.aclose()


async def passes(wait: Awaitable[Any], seconds: float = 10.0) -> bool:
    try:
        await asyncio.wait_for(wait, seconds)
    except TimeoutError:
        return False
    return True


async def is_held_up(wait: Awaitable[Any], seconds: float = 0.3) -> bool:
    return not await passes(wait, seconds)


def run(scenario: Callable[[], Any]) -> Any:
    return asyncio.run(scenario())


def test_shared_limits_bound_calls_in_flight_over_all_workers() -> None:
    async def scenario() -> list[bool]:
        async with two_workers(max_in_flight=2) as (one, other):
            first = await one.acquire(0)
            seen = [
                await passes(other.acquire(0)),
                await is_held_up(one.acquire(0)),
                await is_held_up(other.acquire(0)),
            ]
            await one.release(first, None)
            return [*seen, await passes(other.acquire(0))]

    assert run(scenario) == [True, True, True, True]


def test_whoever_is_cancelled_while_waiting_stops_at_once_and_leaves_no_place_taken() -> None:
    """redis-py can swallow a cancellation that falls into one of its commands, so each try lasts a little longer."""

    async def scenario() -> tuple[int, list[bool]]:
        async with two_workers(max_in_flight=2) as (one, other):
            first = await one.acquire(0)
            await other.acquire(0)
            given_up = [await is_held_up(one.acquire(0), tenths / 10_000) for tenths in range(60)]
            await one.release(first, None)
            for tenths in range(20):
                waiting = asyncio.create_task(one.acquire(0))
                await asyncio.sleep(tenths / 10_000)
                if not waiting.cancel():
                    await one.release(waiting.result(), None)
            return sum(given_up), [await passes(other.acquire(0)), await is_held_up(other.acquire(0))]

    assert run(lambda: asyncio.wait_for(scenario(), 60)) == (60, [True, True])


def test_shared_limits_take_the_places_of_a_dead_worker_back() -> None:
    async def scenario() -> list[bool]:
        async with two_workers(lease_ms=1_500, max_in_flight=1) as (dead, alive):
            await dead.acquire(0)
            assert dead._renewal is not None
            dead._renewal.cancel()  # what kill -9 does to it
            return [await is_held_up(alive.acquire(0)), await passes(alive.acquire(0))]

    assert run(scenario) == [True, True]


def test_shared_limits_keep_the_place_of_a_long_call() -> None:
    async def scenario() -> bool:
        async with two_workers(lease_ms=1_500, max_in_flight=1) as (slow, other):
            await slow.acquire(0)
            return await is_held_up(other.acquire(0), 2.5)

    assert run(scenario) is True


def test_shared_limits_bound_requests_per_minute_over_all_workers() -> None:
    async def scenario() -> list[bool]:
        async with two_workers(requests_per_minute=12) as (one, other):
            seen = [await passes(one.acquire(0)), await passes(other.acquire(0))]
            return [*seen, await is_held_up(one.acquire(0))]

    assert run(scenario) == [True, True, True]


def test_shared_limits_let_requests_through_as_the_minute_goes_on() -> None:
    async def scenario() -> float:
        async with two_workers(requests_per_minute=600) as (one, other):
            began = time.monotonic()
            for _ in range(55):
                await one.acquire(0)
                await other.acquire(0)
            return time.monotonic() - began

    # 100 at once, then 501 in 61 seconds: 10 more take 1.2 seconds.
    assert 1.0 < run(scenario) < 10.0


def test_shared_limits_bound_tokens_and_settle_what_was_used() -> None:
    async def scenario() -> list[bool]:
        async with two_workers(tokens_per_minute=6000) as (one, other):
            permit = await one.acquire(900)
            seen = [await is_held_up(other.acquire(500))]
            await one.release(permit, 100)
            return [*seen, await passes(other.acquire(500), 3.0)]

    assert run(scenario) == [True, True]


def test_shared_limits_let_a_request_larger_than_the_bucket_through() -> None:
    async def scenario() -> bool:
        async with two_workers(tokens_per_minute=600) as (one, _):
            return await passes(one.acquire(50_000))

    assert run(scenario) is True


def test_shared_limits_count_all_tokens_of_a_request_larger_than_the_bucket() -> None:
    async def scenario() -> list[bool]:
        async with two_workers(tokens_per_minute=6000) as (one, other):
            permit = await one.acquire(4000)
            await one.release(permit, 4000)
            seen = [await is_held_up(other.acquire(10), 2.5)]  # 3000 tokens over, at 82 a second
            return [*seen, await is_held_up(other.acquire(4000))]

    assert run(scenario) == [True, True]


def test_shared_limits_give_no_more_tokens_back_than_were_taken() -> None:
    async def scenario() -> int:
        async with two_workers(tokens_per_minute=6000) as (one, _):
            permit = await one.acquire(4000)
            waiting = [asyncio.create_task(one.acquire(900)) for _ in range(5)]
            await asyncio.sleep(0.1)
            await one.release(permit, 500)
            admitted, held_up = await asyncio.wait(waiting, timeout=0.5)
            for each in held_up:
                each.cancel()
            return len(admitted)

    # 1000 at first and 500 of them used: what is left grows to 900 within five seconds.
    assert run(scenario) == 0


def test_shared_limits_without_redis_let_calls_through(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> object:
        redis = redis_for_limits("redis://127.0.0.1:9/0")
        limits = SharedLimits(redis, configuration(max_in_flight=1))
        permit = await limits.acquire(0)
        await limits.release(permit, None)
        await redis.aclose()
        return permit

    assert run(scenario) is None
    assert "shared rate limits are out of reach" in caplog.text


def test_shared_limits_of_a_model_without_limits_are_none() -> None:
    async def scenario() -> list[type]:
        redis = Redis.from_url("redis://127.0.0.1:9/0")
        kinds = [type(shared_limits(configuration(), redis)), type(shared_limits(configuration(max_in_flight=1), None))]
        await redis.aclose()
        return kinds

    assert run(scenario) == [NoLimits, NoLimits]


def test_client_keeps_to_the_limit_of_calls_in_flight(server: ScriptedLLM) -> None:
    server.script("target", lambda _: None)

    async def scenario() -> int:
        limited = ModelConfiguration(f"m-{uuid.uuid4().hex}", "openai/target", api_base=server.url, max_in_flight=2)
        redis = redis_for_limits(settings.CACHES["default"]["LOCATION"])
        clients = [open_client(limited, limits=shared_limits(limited, redis), policy=QUICK) for _ in range(2)]
        await asyncio.gather(*(client(HELLO) for client in clients for _ in range(6)))
        for client in clients:
            await client.close()
        left = await redis.zcard(f"impactbench:limits:{{{limited.slug}}}:leases")
        await redis.aclose()
        return left

    assert run(scenario) == 0
    assert server.most_in_flight <= 2
    assert len(server.calls) == 12
