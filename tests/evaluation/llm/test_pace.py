"""Pace and breaker on their own."""

import asyncio

from evaluation.llm.pace import Breaker, Pace


def test_pace_admits_in_order_of_arrival() -> None:
    async def scenario() -> list[int]:
        pace, order = Pace(start=1), []

        async def visit(number: int) -> None:
            await pace.enter()
            order.append(number)
            await asyncio.sleep(0)
            pace.leave("other")

        await asyncio.gather(*(visit(number) for number in range(5)))
        return order

    assert asyncio.run(scenario()) == [0, 1, 2, 3, 4]


def test_pace_halves_once_in_a_cooldown_and_then_grows_slowly() -> None:
    async def scenario() -> list[float]:
        pace, widths = Pace(start=8, cooldown_seconds=60), []
        for result in ("answered", "slowed", "slowed", "answered", "other"):
            await pace.enter()
            pace.leave(result)
            widths.append(pace.width)
        return widths

    grown = 4.5 + 1 / 4.5
    assert asyncio.run(scenario()) == [9.0, 4.5, 4.5, grown, grown]


def test_pace_never_falls_below_one() -> None:
    async def scenario() -> float:
        pace = Pace(start=2, cooldown_seconds=0)
        for _ in range(10):
            await pace.enter()
            pace.leave("slowed")
        return pace.width

    assert asyncio.run(scenario()) == 1.0


def test_pace_hands_a_cancelled_waiters_place_on() -> None:
    async def scenario() -> str:
        pace = Pace(start=1)
        await pace.enter()
        cancelled, patient = (asyncio.create_task(pace.enter()) for _ in range(2))
        await asyncio.sleep(0)
        pace.leave("other")
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        await asyncio.wait_for(patient, 1)
        return "admitted"

    assert asyncio.run(scenario()) == "admitted"


def test_breaker_lets_waiters_try_when_its_trial_is_abandoned() -> None:
    async def scenario() -> bool:
        breaker = Breaker(failures=1, seconds=0.05)
        breaker.record(succeeded=False)
        trial = asyncio.create_task(breaker.admits())
        await asyncio.sleep(0)
        waiter = asyncio.create_task(breaker.admits())
        await asyncio.sleep(0)
        trial.cancel()
        await asyncio.gather(trial, return_exceptions=True)
        return await asyncio.wait_for(waiter, 1)

    assert asyncio.run(scenario()) is True
