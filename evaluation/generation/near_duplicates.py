"""Finds texts that say nearly the same, by the index that also finds neighbours of a metric.

Loads numpy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evaluation.generation.neighbours import Index

# From which score on two texts are called near duplicates. Set on pairs that were labelled by
# hand (tests/evaluation/generation/labelled_pairs.py): the same in turned-round words scores 0.62 and more, another
# behaviour on the same subject 0.47 and less. The same in quite other words is not found by it.
NEAR_DUPLICATE = 0.55


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two texts by their places (the first is the earlier), and how near they are, 0 to 1."""

    first: int
    second: int
    score: float


def near_duplicates(
    texts: Sequence[str], *, of: Collection[int] | None = None, least: float = NEAR_DUPLICATE
) -> list[NearPair]:
    """The pairs of texts that are at least so near, nearest first; with `of` only those with one of these places.

    Among texts of one index the score is the same in both directions, so each of `of` is compared once with all:
    some 20 ms for each of them among 5,000 texts.
    """
    index, found = Index(texts), dict[tuple[int, int], float]()
    for place in range(len(texts)) if of is None else of:
        row = index.scores(texts[place])
        for other in (row >= least).nonzero()[0].tolist():
            if other != place:
                found[min(place, other), max(place, other)] = round(float(row[other]), 3)
    pairs = (NearPair(first, second, score) for (first, second), score in found.items())
    return sorted(pairs, key=lambda pair: (-pair.score, pair.first, pair.second))
