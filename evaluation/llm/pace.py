"""How many calls of one model this process makes at once, learnt from how the endpoint takes them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Literal

_START = 16.0
_MOST = 1024.0
_COOLDOWN_SECONDS = 5.0

Result = Literal["answered", "slowed", "other"]


class Pace:
    """Additive increase, multiplicative decrease: begins modestly, doubles until the first 429, halves on it.

    One burst of 429s counts once (`cooldown_seconds`). Use `enter` before and `leave` after each request.
    """

    def __init__(self, *, start: float = _START, cooldown_seconds: float = _COOLDOWN_SECONDS) -> None:
        self.width = start
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cooldown_seconds = cooldown_seconds
        self._halved_at = float("-inf")
        self._starting = True

    @property
    def in_flight(self) -> int:
        """Requests that have entered and not left."""
        return self._in_flight

    @property
    def waiting(self) -> int:
        """Requests that wait to enter."""
        return len(self._waiting)

    async def enter(self) -> None:
        """Waits until one more request fits, first come first served."""
        if self._in_flight < int(self.width) and not self._waiting:
            self._in_flight += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._in_flight -= 1  # the place was given to us as we were cancelled: hand it on
                self._admit()
            raise

    def leave(self, result: Result) -> None:
        """Gives the place back and learns: `slowed` is a 429 or a timeout, `answered` a reply."""
        self._in_flight -= 1
        if result == "answered":
            self.width = min(_MOST, self.width + (1.0 if self._starting else 1.0 / self.width))
        elif result == "slowed" and time.monotonic() - self._halved_at >= self._cooldown_seconds:
            self.width = max(1.0, self.width / 2)
            self._starting = False
            self._halved_at = time.monotonic()
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self._in_flight < int(self.width):
            place = self._waiting.popleft()
            if not place.done():
                self._in_flight += 1
                place.set_result(None)


class Breaker:
    """Stops calling an endpoint that has failed many times in a row, and lets one call through to try it.

    While it is open, calls wait for that one; if it fails, they fail with it, without a request of their own. So a
    short outage costs one conversation rather than all, and a dead endpoint is not asked thousands of times.
    """

    def __init__(self, *, failures: int, seconds: float) -> None:
        self._failures_to_open = failures
        self._seconds = seconds
        self._failures = 0
        self._opened_at = 0.0
        self._trial: asyncio.Future[bool] | None = None

    @property
    def is_open(self) -> bool:
        return self._failures >= self._failures_to_open

    async def admits(self) -> bool:
        """True: make the call and report with `record`. False: the endpoint was tried and is still down."""
        while self.is_open:
            if self._trial is None:
                self._trial = asyncio.get_running_loop().create_future()
                try:
                    await asyncio.sleep(max(0.0, self._opened_at + self._seconds - time.monotonic()))
                except asyncio.CancelledError:
                    self.abandon()
                    raise
                return True
            if not await asyncio.shield(self._trial):
                return False
        return True

    def record(self, *, succeeded: bool) -> None:
        """What became of a call that was admitted."""
        self._failures = 0 if succeeded else self._failures + 1
        if self.is_open:
            self._opened_at = time.monotonic()
        self._settle(succeeded)

    def abandon(self) -> None:
        """The admitted call was cancelled: whoever waits for its outcome tries for itself."""
        self._settle(True)

    def _settle(self, succeeded: bool) -> None:
        trial, self._trial = self._trial, None
        if trial is not None and not trial.done():
            trial.set_result(succeeded)
