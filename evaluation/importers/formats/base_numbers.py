"""Which base scenario a row belongs to, so that the variants of one base for several profiles stay together."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

_LINEAGES = (
    re.compile(r"m\d+_s(\d+)(?:_v\d+)?"),
    re.compile(r"scenario_(\d+)(?:_m\d+)?(?:_v\d+)?"),
)


@dataclass(frozen=True)
class Lineage:
    """What is known of a row: its metric, profile, ids that may encode the base, and its content (goals)."""

    metric: str
    profile: str
    ids: tuple[str, ...]
    content: tuple[str, ...]


def number_in(identifier: str) -> int | None:
    """'m01_s002_v01', 'scenario_002_m01_v01' or 'scenario_002_m01' -> 2; None when it says nothing."""
    for lineage in _LINEAGES:
        match = lineage.fullmatch(identifier)
        if match:
            return int(match[1]) or None
    return None


def base_numbers(rows: Sequence[Lineage]) -> list[tuple[int, bool]]:
    """The base number of every row, and whether it had to be moved.

    The first id that encodes a number wins. Other rows of one metric with equal content share a number, in order
    of appearance. Where a base would hold two rows of one profile (two genders, say), the later ones move to the
    next free number of their metric, together with their like of other profiles.
    """
    stated = [next((n for n in map(number_in, row.ids) if n is not None), None) for row in rows]
    taken: dict[str, set[int]] = defaultdict(set)
    for row, number in zip(rows, stated, strict=True):
        if number is not None:
            taken[row.metric].add(number)

    by_content: dict[tuple[str, tuple[str, ...]], int] = {}
    moved_to: dict[tuple[str, int, int], int] = {}
    seen: dict[tuple[str, int, str], int] = defaultdict(int)
    numbers = []
    for row, number in zip(rows, stated, strict=True):
        if number is None:
            content = (row.metric, row.content)
            if content not in by_content:
                by_content[content] = _next_free(taken[row.metric])
            number = by_content[content]
        rank = seen[row.metric, number, row.profile]
        seen[row.metric, number, row.profile] += 1
        if rank and (row.metric, number, rank) not in moved_to:
            moved_to[row.metric, number, rank] = _next_free(taken[row.metric])
        numbers.append((moved_to[row.metric, number, rank] if rank else number, rank > 0))
    return numbers


def _next_free(taken: set[int]) -> int:
    number = next(n for n in count(1) if n not in taken)
    taken.add(number)
    return number
