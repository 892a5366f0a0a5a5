"""How far the results hang on which benchmarks are in, and on how much each of them counts.

Everything here works on two whole-number tables of one polarity and profile: `passed[b, m]` and `judged[b, m]`,
conversations of benchmark b and model m. Rates are null, never 0, where nothing was judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.comparison import pairs_of
from evaluation.statistics.correlation import Correlation, spearman

Integers = NDArray[np.int64]
Rate = float | None


@dataclass(frozen=True)
class Share:
    """A value and what it rests on; None where it rests on nothing."""

    value: Rate
    n: int


@dataclass(frozen=True)
class Reversal:
    """Two models (columns) and the benchmarks (rows) without which their order turns round."""

    a: int
    b: int
    benchmarks: tuple[int, ...]


def rate(passed: int, judged: int) -> Rate:
    """One division of whole numbers; None where nothing was judged."""
    return int(passed) / int(judged) if judged else None


def rates(passed: Integers, judged: Integers) -> list[list[Rate]]:
    """The table of rates, row by row."""
    return [[rate(p, j) for p, j in zip(*row, strict=True)] for row in zip(passed, judged, strict=True)]


def pooled(passed: Integers, judged: Integers) -> list[Share]:
    """Each model's rate over all benchmarks, every conversation counting the same; n counts conversations."""
    return [Share(rate(p, j), int(j)) for p, j in zip(passed.sum(axis=0), judged.sum(axis=0), strict=True)]


def equal_benchmark(passed: Integers, judged: Integers) -> list[Share]:
    """Each model's mean of its benchmark rates, every benchmark counting the same (ImpactBench paper, section 3.6).

    n counts the benchmarks in which the model has data; the others take no part.
    """
    columns = zip(*rates(passed, judged), strict=True) if len(passed) else iter([()] * passed.shape[1])
    shares = []
    for column in columns:
        known = [value for value in column if value is not None]
        shares.append(Share(sum(known) / len(known) if known else None, len(known)))
    return shares


def leave_one_benchmark_out(passed: Integers, judged: Integers) -> list[list[Share]]:
    """For each benchmark left out, each model's rate pooled over the rest; n counts conversations."""
    rest_passed, rest_judged = passed.sum(axis=0) - passed, judged.sum(axis=0) - judged
    return [
        [Share(rate(p, j), int(j)) for p, j in zip(*row, strict=True)]
        for row in zip(rest_passed, rest_judged, strict=True)
    ]


def reversals(passed: Integers, judged: Integers) -> list[Reversal]:
    """Every pair of models whose order some single benchmark decides, and which benchmarks those are.

    The order of pooled rates without the benchmark is the opposite of the order with it. A pair with equal rates has
    no order to reverse, and a tie without the benchmark is no reversal. Whole numbers are compared, not floats.
    """
    whole_passed, whole_judged = passed.sum(axis=0), judged.sum(axis=0)
    found = []
    for a, b in pairs_of(passed.shape[1]):
        order = _order(whole_passed, whole_judged, a, b)
        turned = tuple(
            benchmark
            for benchmark in range(len(passed))
            if order * _order(whole_passed - passed[benchmark], whole_judged - judged[benchmark], a, b) < 0
        )
        if turned:
            found.append(Reversal(a, b, turned))
    return found


def benchmark_versus_rest(passed: Integers, judged: Integers) -> list[Correlation]:
    """For each benchmark, Spearman's rho over models of their rates on it and on all the others.

    ImpactBench paper, section 3.6: unrounded rates, average ranks for ties.
    """
    alone = rates(passed, judged)
    rest = rates(passed.sum(axis=0) - passed, judged.sum(axis=0) - judged)
    return [spearman(a, b) for a, b in zip(alone, rest, strict=True)]


def profile_consistency(first: tuple[Integers, Integers], second: tuple[Integers, Integers]) -> list[Correlation]:
    """For each model, Spearman's rho over benchmarks of its rates in two profiles, each (passed, judged).

    Whether the benchmarks on which a model does well stay the same, whatever its level (paper, section 3.6).
    """
    a, b = rates(*first), rates(*second)
    n_models = first[0].shape[1]
    return [spearman([row[model] for row in a], [row[model] for row in b]) for model in range(n_models)]


def gap(positive: Share, negative: Share) -> Share:
    """The positive rate minus the negative one (paper, section 4.4); None where either is missing."""
    if positive.value is None or negative.value is None:
        return Share(None, 0)
    return Share(positive.value - negative.value, positive.n + negative.n)


def halves(shares: Sequence[Share]) -> tuple[list[int], list[int]]:
    """The models of the upper and the lower half by rate; neither holds a middle one, nor those without data."""
    ranked = sorted(
        (index for index, share in enumerate(shares) if share.value is not None),
        key=lambda index: (-(shares[index].value or 0.0), index),
    )
    half = len(ranked) // 2
    return ranked[:half], ranked[len(ranked) - half :]


def _order(passed: Integers, judged: Integers, a: int, b: int) -> int:
    """1 when the rate of a is the higher one, -1 when that of b is, 0 when they are equal or one is missing."""
    if not (judged[a] and judged[b]):
        return 0
    left, right = int(passed[a]) * int(judged[b]), int(passed[b]) * int(judged[a])
    return (left > right) - (left < right)
