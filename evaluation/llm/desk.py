"""Many who ask and give back at once, in few steps: whatever comes while one is under way shares the next."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Back = TypeVar("Back")

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 256


class Desk(Generic[Asked, Answer, Back]):
    """First come, first served, for the tasks of one event loop.

    `step(asked, back)` takes what was given back and answers a prefix of what was asked; whoever gets no answer waits
    for so many seconds, or until something is given back, and is asked for again. When it raises, all who wait get the
    error, and what was given back is given again with the next step. `undo` says what to give back for an answer whose
    asker was cancelled meanwhile; None is nothing.

    A step runs in a task of its own. A cancellation of those who wait takes effect at once and never reaches it:
    redis-py can swallow one that falls into a command.
    """

    def __init__(
        self,
        step: Callable[[Sequence[Asked], Sequence[Back]], Awaitable[tuple[Sequence[Answer], float]]],
        undo: Callable[[Asked, Answer], Back | None],
    ) -> None:
        self._step = step
        self._undo = undo
        self._waiting: deque[tuple[Asked, asyncio.Future[Answer]]] = deque()
        self._back: list[Back] = []
        self._came_back = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many wait for an answer."""
        return sum(not answer.done() for _, answer in self._waiting)

    async def ask(self, asked: Asked) -> Answer:
        """The answer, when it is this one's turn. Raises what `step` raises."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answer))
        self._go_on()
        try:
            return await answer
        except asyncio.CancelledError:
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                self._give_up(asked, answer.result())
            raise

    def give_back(self, back: Back) -> None:
        """Is told with the next step; nobody waits for it."""
        self._back.append(back)
        self._came_back.set()
        self._go_on()

    async def close(self) -> None:
        """Returns when everything given back was told, or could not be; nobody may be waiting any more."""
        if self._back:
            self._go_on()
        if self._task is not None:
            await self._task

    def _go_on(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._serve())

    async def _serve(self) -> None:
        """Steps until nobody waits and nothing is left to tell."""
        while True:
            while self._waiting and self._waiting[0][1].done():
                self._waiting.popleft()
            if not self._waiting and not self._back:
                return
            self._came_back.clear()
            back, self._back = self._back[:MOST_AT_ONCE], self._back[MOST_AT_ONCE:]
            asked = [each for each in self._waiting if not each[1].done()][:MOST_AT_ONCE]
            try:
                answers, pause = await self._step([each for each, _ in asked], back)
            except Exception as error:
                self._back = back + self._back
                self._fail(error)
                return
            for (each, place), answer in zip(asked, answers, strict=False):
                self._answer(each, place, answer)
            if len(answers) < len(asked):
                await self._pause(pause)

    def _answer(self, asked: Asked, place: asyncio.Future[Answer], answer: Answer) -> None:
        if not place.done():
            place.set_result(answer)
        else:
            self._give_up(asked, answer)

    def _give_up(self, asked: Asked, answer: Answer) -> None:
        """What was given to one who is no longer there comes back."""
        back = self._undo(asked, answer)
        if back is not None:
            self.give_back(back)

    def _fail(self, error: Exception) -> None:
        logger.warning("nobody answers for now: %s", type(error).__name__)
        for _, place in self._waiting:
            if not place.done():
                place.set_exception(error)
        self._waiting.clear()

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._came_back.wait()
        except TimeoutError:
            return
