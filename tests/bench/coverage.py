"""How often the 95 % intervals hold the truth: a coverage study of the metric-cluster bootstrap, part of `make bench`.

The truth is the expected pass rate over the populations that the metrics of the same benchmarks were drawn from. Each
replicate draws new metrics, new conversations, and one interval of each kind. `--figure PATH` draws the picture in
docs/.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import metric_weights, nearest_ranks
from evaluation.statistics.resampling_checks import rescaled_draws

Floats = NDArray[np.float64]
REPLICATES, RESAMPLES, CONVERSATIONS = 1000, 1000, 6
# The paper's design: 460 positive metrics in 26 benchmarks, of very different sizes.
PAPER = (62, 40, 36, 30, 28, 24, 22, 20, 20, 18, 16, 15, 14, 14, 12, 12, 11, 10, 10, 9, 8, 8, 7, 6, 5, 3)
SMALL = (2, 3, 5)
BENCHMARKS_OF_SMALL = 26


@dataclass(frozen=True)
class Coverage:
    """One design and kind of interval: the share of replicates that hold the truth, and the mean width."""

    design: str
    kind: str
    share: float
    width: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of the study, and draw it where asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--figure", type=Path)
    chosen = parser.parse_args(arguments)
    found = study("the paper's design, 460 metrics", PAPER, seed=1)
    for size in SMALL:
        found += study(f"{BENCHMARKS_OF_SMALL} benchmarks of {size} metrics", (size,) * BENCHMARKS_OF_SMALL, seed=size)
        found += study(f"one benchmark of {size} metrics", (size,), seed=10 + size)
    for row in found:
        print(f"coverage: {row.design}; {row.kind}: {row.share:.1%}, width {row.width:.3f}")  # noqa: T201
    if chosen.figure:
        chosen.figure.write_text(figure(found), encoding="utf-8")


def study(design: str, sizes: Sequence[int], *, seed: int) -> list[Coverage]:
    """The coverage of three kinds of interval for the pooled rate of one model over benchmarks of these sizes."""
    words = np.random.default_rng(seed)
    strata = [f"b{number:02d}" for number, size in enumerate(sizes) for _ in range(size)]
    means = words.uniform(0.35, 0.9, len(sizes))
    truth = float(np.average(means, weights=sizes))
    weights = metric_weights(
        {f"{b}/{i:03d}": (b, "positive") for i, b in enumerate(strata)}, resamples=RESAMPLES, seed=seed
    )
    hits: dict[str, list[tuple[bool, float]]] = {"metric clusters": [], "rescaled": [], "single conversations": []}
    judged = np.full(len(strata), CONVERSATIONS, dtype=np.int64)
    for replicate in range(REPLICATES):
        passed = _passed(words, means, sizes)
        drawn = (passed @ weights.weights) / (judged @ weights.weights)
        ends = {
            "metric clusters": _ends(drawn),
            "rescaled": _ends(rescaled_draws(passed, judged, strata, resamples=RESAMPLES, seed=replicate)),
            "single conversations": _naive(int(passed.sum()), int(judged.sum())),
        }
        for kind, (low, high) in ends.items():
            hits[kind].append((low <= truth <= high, high - low))
    return [
        Coverage(design, kind, float(np.mean([hit for hit, _ in rows])), float(np.mean([width for _, width in rows])))
        for kind, rows in hits.items()
    ]


def _passed(words: np.random.Generator, means: Floats, sizes: Sequence[int]) -> NDArray[np.int64]:
    """Passed conversations of each metric: metrics vary within a benchmark as widely as real ones do."""
    spread = 1.6
    rates = [words.beta(mean * spread, (1 - mean) * spread, size) for mean, size in zip(means, sizes, strict=True)]
    return words.binomial(CONVERSATIONS, np.concatenate(rates))


def _ends(drawn: Floats) -> tuple[float, float]:
    low, high = nearest_ranks(drawn[None], np.array([len(drawn)]), (25, 975))
    return float(low[0]), float(high[0])


def _naive(passed: int, judged: int) -> tuple[float, float]:
    """The percentile interval of a bootstrap of single conversations, by its normal limit."""
    rate = passed / judged
    half = 1.96 * (rate * (1 - rate) / judged) ** 0.5
    return rate - half, rate + half


def figure(rows: Sequence[Coverage]) -> str:
    """The study as an SVG: one line a design, one mark a kind, the 95 % line drawn."""
    designs = list(dict.fromkeys(row.design for row in rows))
    marks = {"metric clusters": "circle", "rescaled": "square", "single conversations": "cross"}
    left, width, gap = 280, 380, 34
    height = 60 + gap * len(designs)
    lines = [_head(left + width + 30, height + 60)]
    for share in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0):
        x = left + width * (share - 0.4) / 0.6
        colour = "#000" if share == 0.95 else "#ccc"
        lines.append(f'<path d="M{x:.1f} 30V{height}" stroke="{colour}"/>')
        if share != 0.9:
            lines.append(f'<text x="{x:.1f}" y="22" text-anchor="middle">{share:.0%}</text>')
    for place, design in enumerate(designs):
        y = 50 + gap * place
        lines.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{design.replace("&", "and")}</text>')
        lines += [
            _mark(marks[row.kind], left + width * (max(row.share, 0.4) - 0.4) / 0.6, y)
            for row in rows
            if row.design == design
        ]
    for place, (kind, shape) in enumerate(marks.items()):
        x = 20 + 200 * place
        lines.append(_mark(shape, x, height + 34) + f'<text x="{x + 14}" y="{height + 38}">{kind}</text>')
    return "".join(lines) + "</svg>\n"


def _head(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="13"><title>Share of 95 % intervals that hold the truth</title>'
        '<rect width="100%" height="100%" fill="#fff"/>'
    )


def _mark(shape: str, x: float, y: float) -> str:
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>'
    if shape == "square":
        square = f'x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"'
        return f'<rect {square} fill="none" stroke="#000" stroke-width="1.6"/>'
    return f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10" stroke="#000" stroke-width="1.6"/>'


if __name__ == "__main__":
    main()
