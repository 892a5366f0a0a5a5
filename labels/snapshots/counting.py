"""Counts what goes by."""

from collections.abc import Iterable, Iterator
from itertools import islice
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

    def groups(self, size: int) -> Iterator[list[Thing]]:
        """The things in lists of `size`; the last one may be shorter, and none is empty."""
        things = iter(self)
        while group := list(islice(things, size)):
            yield group
