"""How far raters agree: humans with each other, the judge with itself, and the judge with the humans.

A table of ratings has one row an item and one column a rater (or repeat); a missing rating is None or NaN. Categories
are whatever values stand in it: 'pass', 'fail', 'borderline', True, False, 1 to 4.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NOMINAL, ORDINAL = "nominal", "ordinal"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, or None with the reason why it is undefined; `n_items` are the items it rests on."""

    value: float | None
    n_items: int
    reason: str = ""
    low: float | None = None
    high: float | None = None
    n_draws: int = 0


@dataclass(frozen=True)
class AgainstMajority:
    """The judge beside the strict majority of humans, and how many items had none."""

    n_items: int
    n_left_out: int
    agreement: float | None
    kappa: Coefficient
    sensitivity: float | None
    specificity: float | None
    n_present: int
    n_absent: int


def pairwise_agreement(ratings: pd.DataFrame) -> Coefficient:
    """The mean over items of the share of pairs of ratings that are equal; items with one rating have no pair.

    The exact pairwise agreement of ImpactBench paper, sections 3.5.4 and 4.9. Every item counts the same,
    however many ratings it has.
    """
    shares = []
    for row in _rated(ratings):
        n = len(row)
        if n >= 2:
            equal = sum(count * (count - 1) for count in Counter(row).values())
            shares.append(equal / (n * (n - 1)))
    return _mean(shares, "no item has two ratings")


def unanimity(ratings: pd.DataFrame) -> Coefficient:
    """The share of items with at least two ratings whose ratings are all equal."""
    rows = [row for row in _rated(ratings) if len(row) >= 2]
    return _mean([float(len(set(row)) == 1) for row in rows], "no item has two ratings")


def cohens_kappa(first: Sequence[Any], second: Sequence[Any], *, weights: str = NOMINAL) -> Coefficient:
    """Chance-corrected agreement of two raters on the items that both rated.

    J. Cohen, A coefficient of agreement for nominal scales (1960): (p_o - p_e) / (1 - p_e), p_e from the raters'
    own margins. `weights='ordinal'` uses squared distances of the ordered categories (Cohen 1968). Undefined when
    both raters use one and the same category throughout. Raises ValueError for lists of different lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"the raters have {len(first)} and {len(second)} items")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if not (_is_missing(a) or _is_missing(b))]
    if not pairs:
        return Coefficient(None, 0, "no item was rated by both")
    categories = sorted({value for pair in pairs for value in pair}, key=_order)
    table = np.zeros((len(categories), len(categories)))
    for a, b in pairs:
        table[categories.index(a), categories.index(b)] += 1
    distance = _distances(len(categories), weights)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(pairs)
    by_chance = float((distance * expected).sum())
    if by_chance == 0:
        return Coefficient(None, len(pairs), "both raters used one and the same category")
    return Coefficient(1.0 - float((distance * table).sum()) / by_chance, len(pairs))


def fleiss_kappa(ratings: pd.DataFrame) -> Coefficient:
    """Chance-corrected agreement of a fixed number of ratings an item, whoever gave them.

    J. L. Fleiss, Measuring nominal scale agreement among many raters (1971). Items with a missing rating are left
    out. Undefined with fewer than two ratings an item, or when all ratings are one category.
    """
    complete = [row for row in _rated(ratings) if len(row) == ratings.shape[1]]
    if ratings.shape[1] < 2 or not complete:
        return Coefficient(None, len(complete), "no item has all of at least two ratings")
    categories = sorted({value for row in complete for value in row}, key=_order)
    counts = np.array([[row.count(category) for category in categories] for row in complete], dtype=float)
    n = ratings.shape[1]
    observed = float(((counts**2).sum(axis=1) - n).mean()) / (n * (n - 1))
    share = counts.sum(axis=0) / counts.sum()
    by_chance = float((share**2).sum())
    if by_chance == 1.0:
        return Coefficient(None, len(complete), "all ratings are one category")
    return Coefficient((observed - by_chance) / (1.0 - by_chance), len(complete))


def krippendorff_alpha(ratings: pd.DataFrame, *, level: str = NOMINAL) -> Coefficient:
    """Agreement of any number of raters with missing ratings: 1 - observed / expected disagreement.

    K. Krippendorff, Content Analysis (2004), chapter 11, by the coincidence matrix; `level` is 'nominal' or
    'ordinal' (metric differences by ranks of the pooled ratings). Items with fewer than two ratings say nothing.
    Undefined when all paired ratings are one category.
    """
    rows = [row for row in _rated(ratings) if len(row) >= 2]
    if not rows:
        return Coefficient(None, 0, "no item has two ratings")
    categories = sorted({value for row in rows for value in row}, key=_order)
    counts = np.array([[row.count(category) for category in categories] for row in rows], dtype=float)
    value = float(alpha_of(coincidences(counts).sum(axis=0), level))
    if np.isnan(value):
        return Coefficient(None, len(rows), "all ratings are one category")
    return Coefficient(value, len(rows))


def with_interval(
    ratings: pd.DataFrame,
    coefficient: Callable[[pd.DataFrame], Coefficient],
    *,
    resamples: int = 2000,
    seed: int = 0,
    clusters: Sequence[Any] | None = None,
) -> Coefficient:
    """The coefficient with a 95 % percentile bootstrap interval over items, or over `clusters` of items kept together.

    Draws in which it is undefined are dropped and counted (`n_draws` are those used). No interval with fewer than
    two items or clusters, or when under 90 % of the draws are usable.
    """
    whole = coefficient(ratings)
    groups = _clusters(len(ratings), clusters)
    if whole.value is None or len(groups) < 2:
        return whole
    words = np.random.default_rng(seed)
    drawn = []
    for _ in range(resamples):
        chosen = words.integers(0, len(groups), len(groups))
        value = coefficient(ratings.iloc[np.concatenate([groups[item] for item in chosen])]).value
        if value is not None:
            drawn.append(value)
    if len(drawn) * 10 < resamples * 9:
        return Coefficient(
            whole.value, whole.n_items, "too few resamples have a value for an interval", n_draws=len(drawn)
        )
    low, high = np.quantile(np.array(drawn), [0.025, 0.975], method="inverted_cdf")
    return Coefficient(whole.value, whole.n_items, "", float(low), float(high), len(drawn))


def strict_majority(row: Sequence[Any], *, among: Sequence[Any] = (True, False)) -> Any | None:
    """The value of `among` that more than half of all ratings of the item gave; None when there is none.

    Borderline and unsure ratings count in the denominator and can win nothing.
    """
    rated = [value for value in row if not _is_missing(value)]
    return next((value for value in among if rated.count(value) * 2 > len(rated)), None)


def against_majority(
    judge: Sequence[Any], humans: pd.DataFrame, *, present: Any = True, absent: Any = False
) -> AgainstMajority:
    """The judge's verdicts beside the strict majority of the humans (ImpactBench paper, section 4.9).

    Items without a strict majority, or that the judge left unjudged, are left out and counted. Sensitivity is the
    share of majority-present items that the judge called present, specificity that of majority-absent ones called
    absent; None where there is no such item.
    """
    if len(judge) != len(humans):
        raise ValueError(f"the judge has {len(judge)} items, the humans {len(humans)}")
    truth = [strict_majority(list(row), among=(present, absent)) for row in humans.itertuples(index=False)]
    pairs = [(a, b) for a, b in zip(judge, truth, strict=True) if b is not None and not _is_missing(a)]
    of_present = [a == present for a, b in pairs if b == present]
    of_absent = [a == absent for a, b in pairs if b == absent]
    return AgainstMajority(
        n_items=len(pairs),
        n_left_out=len(truth) - len(pairs),
        agreement=_share([a == b for a, b in pairs]),
        kappa=cohens_kappa([a for a, _ in pairs], [b for _, b in pairs]),
        sensitivity=_share(of_present),
        specificity=_share(of_absent),
        n_present=len(of_present),
        n_absent=len(of_absent),
    )


def coincidences(counts: Floats) -> Floats:
    """Each item's coincidences of two categories, (items, categories, categories), from its counts of ratings.

    Pairs of its n ratings, each counted 1 / (n - 1) times; they add up over items. Every item has two ratings or more.
    """
    others = counts.sum(axis=1)[:, None, None] - 1
    diagonal = np.einsum("uc,ck->uck", counts, np.eye(counts.shape[1]))
    pairs: Floats = (np.einsum("uc,uk->uck", counts, counts) - diagonal) / others
    return pairs


def alpha_of(table: Floats, level: str = NOMINAL) -> Floats:
    """Krippendorff's alpha of tables of coincidences (..., categories, categories); NaN where undefined."""
    margins = table.sum(axis=-1)
    total = margins.sum(axis=-1)
    distance = _ordinal(margins) if level == ORDINAL else 1.0 - np.eye(margins.shape[-1])
    expected = (margins[..., :, None] * margins[..., None, :] * distance).sum(axis=(-2, -1))
    observed = (table * distance).sum(axis=(-2, -1)) * (total - 1)
    alpha: Floats = 1.0 - np.divide(observed, expected, out=np.full(np.shape(expected), np.nan), where=expected > 0)
    return alpha


def _ordinal(margins: Floats) -> Floats:
    """Krippendorff's ordinal differences: the ratings from one category to the other, half of the ends counted."""
    centre = np.cumsum(margins, axis=-1) - margins / 2
    distances: Floats = (centre[..., :, None] - centre[..., None, :]) ** 2
    return distances


def _distances(n: int, weights: str) -> Floats:
    if weights not in (NOMINAL, ORDINAL):
        raise ValueError(f"weights must be 'nominal' or 'ordinal', not {weights!r}")
    steps = np.arange(n, dtype=float)
    return (steps[:, None] - steps[None, :]) ** 2 if weights == ORDINAL else 1.0 - np.eye(n)


def _rated(ratings: pd.DataFrame) -> list[list[Any]]:
    return [[value for value in row if not _is_missing(value)] for row in ratings.itertuples(index=False)]


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value))


def _order(value: Any) -> tuple[bool, Any]:
    """Numbers by size, words by letter; True and False are numbers."""
    is_number = isinstance(value, int | float | np.number | np.bool_)
    return (not is_number, float(value) if is_number else str(value))


def _clusters(n: int, clusters: Sequence[Any] | None) -> list[NDArray[np.int64]]:
    if clusters is None:
        return [np.array([item]) for item in range(n)]
    if len(clusters) != n:
        raise ValueError(f"{len(clusters)} clusters are named for {n} items")
    codes, _ = pd.factorize(pd.Series(list(clusters)))
    return [np.flatnonzero(codes == code) for code in range(codes.max() + 1 if n else 0)]


def _mean(shares: list[float], reason: str) -> Coefficient:
    return Coefficient(float(np.mean(shares)), len(shares)) if shares else Coefficient(None, 0, reason)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
