"""Finds texts that say nearly the same, by the index that also finds neighbours of a metric.

Loads numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.generation.neighbours import Index

# From which mean score of both directions on two texts are called near duplicates. Set on pairs that were labelled by
# hand (tests/evaluation/generation/labelled_pairs.py): the same in turned-round words scores 0.62 and more, another
# behaviour on the same subject 0.47 and less. The same in quite other words is not found by it.
NEAR_DUPLICATE = 0.55


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two texts by their places (the first is the earlier), and how near they are, 0 to 1."""

    first: int
    second: int
    score: float


def near_duplicates(texts: Sequence[str], *, least: float = NEAR_DUPLICATE) -> list[NearPair]:
    """All pairs of texts that are at least so near, nearest first."""
    index = Index(texts)
    scores = [index.scores(text) for text in texts]
    found = []
    for first, row in enumerate(scores):
        # Half of a mean above the limit must lie above it, so one direction finds the candidates of both.
        for second in (row[first + 1 :] >= 2 * least - 1).nonzero()[0] + first + 1:
            score = float(row[second] + scores[second][first]) / 2
            if score >= least:
                found.append(NearPair(first, int(second), round(score, 3)))
    return sorted(found, key=lambda pair: (-pair.score, pair.first, pair.second))
