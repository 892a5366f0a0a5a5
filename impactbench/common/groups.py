"""A long stream in lists of a bounded length."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Thing = TypeVar("Thing")


def in_groups(things: Iterable[Thing], size: int) -> Iterator[list[Thing]]:
    """The things in lists of `size`; the last one may be shorter, and none is empty."""
    rest = iter(things)
    while group := list(islice(rest, size)):
        yield group
