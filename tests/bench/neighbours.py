"""How fast the nearest of 5,000 metrics are found, against comparing with each of them in turn: `make bench`."""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter

from evaluation.generation.neighbours import Index

METRICS, WORDS_EACH, QUERIES = 5_000, 30, 200
PLAIN_QUERIES = 3
SYLLABLES = ("ra", "ne", "to", "mi", "sol", "ker", "ta", "lu", "vin", "dor", "es", "ing", "pre", "con", "al")


def main() -> None:
    """Prints the time to build the index, to ask it, and the ratio to a plain scan over all texts."""
    draw = random.Random(0)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(6_000)]
    rarity = [1 / (rank + 1) for rank in range(len(words))]
    texts = [" ".join(draw.choices(words, rarity, k=WORDS_EACH)) for _ in range(METRICS)]
    queries = [" ".join(draw.choices(words, rarity, k=3 * WORDS_EACH)) for _ in range(QUERIES)]
    began = time.perf_counter()
    index = Index(texts)
    build_ms = 1000 * (time.perf_counter() - began)
    times = sorted(_milliseconds(index, query) for query in queries)
    plain_ms = _plain_milliseconds(texts, queries[:PLAIN_QUERIES])
    median = statistics.median(times)
    print(  # noqa: T201
        f"neighbours: {METRICS} metrics indexed in {build_ms:.0f} ms; a question of {3 * WORDS_EACH} words takes "
        f"{median:.1f} ms (95 in 100 under {times[int(0.95 * QUERIES)]:.1f} ms); "
        f"a plain scan takes {plain_ms:.0f} ms (ratio {plain_ms / median:.0f})"
    )


def _milliseconds(index: Index, query: str) -> float:
    began = time.perf_counter()
    index.scores(query).argsort()
    return 1000 * (time.perf_counter() - began)


def _plain_milliseconds(texts: list[str], queries: list[str]) -> float:
    """The time to count and compare trigrams and words of each text in turn, with nothing prepared."""
    began = time.perf_counter()
    for query in queries:
        asked = _counts(query)
        sorted(sum((asked & _counts(text)).values()) for text in texts)
    return 1000 * (time.perf_counter() - began) / len(queries)


def _counts(text: str) -> Counter[str]:
    return Counter([*text.split(), *(text[at : at + 3] for at in range(len(text) - 2))])


if __name__ == "__main__":
    main()
