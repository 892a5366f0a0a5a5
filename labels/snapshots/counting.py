"""Counts what goes by."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Counting(Generic[Thing]):
    """The things, once, and in `n` how many have been taken."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._things = iter(things)
        self.n = 0

    def __iter__(self) -> Iterator[Thing]:
        for thing in self._things:
            self.n += 1
            yield thing
