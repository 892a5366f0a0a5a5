"""The desk at which many ask at once, without Redis behind it."""

import asyncio
from collections.abc import Sequence

import pytest

from evaluation.llm.desk import MOST_AT_ONCE, Desk


class Counter:
    """A step with so many places; keeps what it was asked and told, step by step."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.steps: list[tuple[list[str], list[str]]] = []
        self.fails_with: Exception | None = None

    async def step(self, asked: Sequence[str], back: Sequence[str]) -> tuple[Sequence[bool], float]:
        await asyncio.sleep(0)
        self.steps.append((list(asked), list(back)))
        if self.fails_with:
            raise self.fails_with
        self.places += len(back)
        admitted = min(self.places, len(asked))
        self.places -= admitted
        return [True] * admitted, 60.0

    def desk(self) -> Desk[str, bool, str]:
        return Desk(self.step, undo=lambda asked, _: asked)


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_all_who_ask_together_share_one_step() -> None:
    async def scenario() -> list[tuple[list[str], list[str]]]:
        counter = Counter(10)
        desk = counter.desk()
        assert await asyncio.gather(*(desk.ask(name) for name in "abc")) == [True, True, True]
        await desk.close()
        return counter.steps

    assert asyncio.run(scenario()) == [(["a", "b", "c"], [])]


def test_who_finds_no_place_waits_in_order_until_one_comes_back() -> None:
    async def scenario() -> tuple[list[str], int, list[tuple[list[str], list[str]]]]:
        counter, served = Counter(1), []
        desk = counter.desk()

        async def ask(name: str) -> None:
            await desk.ask(name)
            served.append(name)

        async with asyncio.TaskGroup() as group:
            for name in "abc":
                group.create_task(ask(name))
            await _settled()
            waiting = desk.waiting
            desk.give_back("a")
            await _settled()
            desk.give_back("b")
        await desk.close()
        return served, waiting, counter.steps

    steps = [(["a", "b", "c"], []), (["b", "c"], ["a"]), (["c"], ["b"])]
    assert asyncio.run(scenario()) == (["a", "b", "c"], 2, steps)


def test_who_is_cancelled_while_waiting_is_asked_for_no_more() -> None:
    async def scenario() -> list[tuple[list[str], list[str]]]:
        counter = Counter(0)
        desk = counter.desk()
        impatient, patient = (asyncio.create_task(desk.ask(name)) for name in "ab")
        await _settled()
        impatient.cancel()
        desk.give_back("c")
        assert await patient is True
        await desk.close()
        return counter.steps

    assert asyncio.run(scenario()) == [(["a", "b"], []), (["b"], ["c"])]


@pytest.mark.parametrize("moment", range(8))
def test_a_place_comes_back_whenever_its_asker_is_cancelled(moment: int) -> None:
    """Before the step, in it, or between the answer and the moment in which its asker hears of it."""

    async def scenario() -> int:
        counter = Counter(1)
        desk = counter.desk()
        asking = asyncio.create_task(desk.ask("a"))
        for _ in range(moment):
            await asyncio.sleep(0)
        if not asking.cancel():
            desk.give_back("a")
        await _settled()
        await desk.close()
        return counter.places

    assert asyncio.run(scenario()) == 1


def test_an_error_reaches_all_who_wait_and_loses_nothing_that_came_back(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> tuple[list[str], list[tuple[list[str], list[str]]]]:
        counter = Counter(5)
        desk = counter.desk()
        counter.fails_with = ConnectionError("away")
        desk.give_back("x")
        outcomes = await asyncio.gather(*(desk.ask(name) for name in "ab"), return_exceptions=True)
        counter.fails_with = None
        assert await desk.ask("c") is True
        await desk.close()
        return [str(outcome) for outcome in outcomes], counter.steps

    steps = [([], ["x"]), (["c"], ["x"])]
    assert asyncio.run(scenario()) == (["away", "away"], steps)
    assert [record.getMessage() for record in caplog.records] == ["nobody answers for now: ConnectionError"]


def test_a_step_never_grows_without_bound() -> None:
    async def scenario() -> list[int]:
        counter = Counter(1000)
        desk = counter.desk()
        await asyncio.gather(*(desk.ask(str(number)) for number in range(2 * MOST_AT_ONCE + 1)))
        await desk.close()
        return [len(asked) for asked, _ in counter.steps]

    assert asyncio.run(scenario()) == [MOST_AT_ONCE, MOST_AT_ONCE, 1]
