"""What a draw gives: numbered items, what was wished and found in each stratum, and what fell short."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class DrawnItem:
    """One thing to rate or to measure. What its unit does not have is None.

    `raters` is how many raters it is to have where that differs from the design's number for all items, else 0.
    """

    number: int
    unit: str
    metric: str
    scenario: str | None = None
    conversation: str | None = None
    judgment: str | None = None
    target: str | None = None
    profile: str | None = None
    stratum: str = ""
    raters: int = 0


@dataclass(frozen=True)
class Stratum:
    """How many were wished of a stratum, how many the frame has, how many were drawn."""

    name: str
    wished: int
    available: int
    drawn: int


@dataclass(frozen=True)
class Drawn:
    """The items in the order of their numbers, the strata by name, and sentences about what fell short."""

    items: tuple[DrawnItem, ...]
    strata: tuple[Stratum, ...]
    short: tuple[str, ...]


def numbered(items: Iterable[DrawnItem]) -> tuple[DrawnItem, ...]:
    """The items with numbers from 1 in the order given."""
    return tuple(replace(item, number=number) for number, item in enumerate(items, start=1))


def with_raters(items: Sequence[DrawnItem], overlap: Sequence[int]) -> list[DrawnItem]:
    """The items, the first of them with the numbers of raters in `overlap`."""
    wishes = (*overlap, *[0] * len(items))
    return [replace(item, raters=wish) for item, wish in zip(items, wishes, strict=False)]


def with_raters_of_metrics(items: Iterable[DrawnItem], raters_of: Mapping[str, int]) -> list[DrawnItem]:
    """The items, those of the metrics named with that many raters."""
    return [replace(item, raters=raters_of.get(item.metric, 0)) for item in items]


def shortage(wished: int, drawn: int, what: str) -> tuple[str, ...]:
    """A sentence where fewer were drawn than wished, else nothing."""
    return (f"Drawn: {drawn} of {wished} {what}. There are no more.",) if drawn < wished else ()
