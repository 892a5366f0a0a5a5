"""How many raters and items a wished precision takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb, sqrt

from evaluation.statistics.intervals import Z_95

RATERS_TO_TRY = (2, 3, 4, 5, 6)
# With fewer, nothing can be said of how items differ.
_LEAST_ITEMS = 2


@dataclass(frozen=True)
class Plan:
    """One way to the wished precision: so many raters an item, items, ratings, and raters in all."""

    raters_per_item: int
    n_items: int
    n_ratings: int
    n_raters: int


def plans_for_agreement(
    *,
    alpha: float,
    shares: Sequence[float],
    half_width: float,
    ratings_per_rater: int,
    raters: Sequence[int] = RATERS_TO_TRY,
) -> list[Plan]:
    """For each number of raters an item, the items that bring Krippendorff's nominal alpha to that half width (95 %).

    `alpha` and `shares` (how often each category is used, 2 to 5 of them, in sum 1) are what is expected. Items are
    taken as independent; see `agreement_variance` for the model. Raises ValueError for values that cannot be.
    """
    _check_wish(half_width)
    variances = {n: agreement_variance(alpha=alpha, shares=shares, raters=n) for n in raters}
    return [_plan(n, variance * (Z_95 / half_width) ** 2, ratings_per_rater) for n, variance in variances.items()]


def plans_for_mean(
    *,
    sd_items: float,
    sd_raters: float,
    half_width: float,
    ratings_per_rater: int,
    raters: Sequence[int] = (1, *RATERS_TO_TRY),
) -> list[Plan]:
    """For each number of raters an item, the items that bring the mean of a scale to that half width (95 %).

    `sd_items` is how far the items' true means lie apart, `sd_raters` how far raters differ on one item: the variance
    of a mean of n items with r raters each is (sd_items^2 + sd_raters^2 / r) / n (W. G. Cochran, Sampling Techniques,
    1977, section 10.3). Raises ValueError for values that cannot be.
    """
    if half_width <= 0 or min(sd_items, sd_raters) < 0:
        raise ValueError("a half width is above 0, and a standard deviation is not below it")
    return [_plan(n, (sd_items**2 + sd_raters**2 / n) * (Z_95 / half_width) ** 2, ratings_per_rater) for n in raters]


def items_for_share(
    *, share: float, half_width: float, items_per_metric: int = 1, correlation: float = 0.0, left_out: float = 0.0
) -> int:
    """The items that bring a share, such as the judge's agreement with the majority, to that half width (95 %).

    p (1 - p) (z / h)^2 items, times 1 + (m - 1) c where m items of a metric resemble each other with the
    intraclass `correlation` c (L. Kish, Survey Sampling, 1965: the design effect), divided by what is not
    `left_out` for want of a majority. Raises ValueError for values that cannot be.
    """
    _check_wish(half_width)
    if not (0 <= share <= 1 and 0 <= correlation <= 1 and 0 <= left_out < 1 and items_per_metric >= 1):
        raise ValueError("a share, a correlation and what is left out lie between 0 and 1")
    effect = 1 + (items_per_metric - 1) * correlation
    return _items(share * (1 - share) * (Z_95 / half_width) ** 2 * effect / (1 - left_out))


def agreement_half_width(*, alpha: float, shares: Sequence[float], raters: int, n_items: int) -> float:
    """Half the width of the 95 % interval of nominal alpha that so many items with so many raters each give."""
    return Z_95 * sqrt(agreement_variance(alpha=alpha, shares=shares, raters=raters) / n_items)


def agreement_variance(*, alpha: float, shares: Sequence[float], raters: int) -> float:
    """What one item adds to the variance of nominal alpha: that variance, times the number of items.

    The model: an item has one true category, by `shares`; a rater sees it with chance sqrt(alpha), and otherwise
    answers by `shares`. Two raters then agree with chance alpha + (1 - alpha) sum of squared shares, which makes
    alpha the coefficient. With d an item's share of unequal pairs and x its shares of answers, D = E d and
    E = 1 - sum of squared shares, alpha = 1 - D / E changes (delta method) by -(d - D) / E - 2 D / E^2 sum p (x - p);
    the variance of this is summed exactly over all possible answers of the raters.
    """
    _check_agreement(alpha, shares, raters)
    by_chance = 1.0 - sum(share**2 for share in shares)
    apart = (1.0 - alpha) * by_chance
    variance = 0.0
    for true, true_share in enumerate(shares):
        chances = [(1 - sqrt(alpha)) * share + sqrt(alpha) * (at == true) for at, share in enumerate(shares)]
        for counts in _ways(raters, len(shares)):
            d = 1.0 - sum(n * (n - 1) for n in counts) / (raters * (raters - 1))
            moved = sum(p * (n / raters - p) for p, n in zip(shares, counts, strict=True))
            change = -(d - apart) / by_chance - 2.0 * apart / by_chance**2 * moved
            variance += true_share * _chance_of(counts, chances) * change**2
    return variance


def _plan(raters_per_item: int, items: float, ratings_per_rater: int) -> Plan:
    if ratings_per_rater < 1:
        raise ValueError("a rater gives at least one rating")
    n_items = _items(items)
    n_ratings = n_items * raters_per_item
    return Plan(raters_per_item, n_items, n_ratings, max(raters_per_item, ceil(n_ratings / ratings_per_rater)))


def _items(items: float) -> int:
    # A rounding error must not add an item.
    return max(_LEAST_ITEMS, ceil(items - 1e-9))


def _ways(n: int, categories: int) -> Iterator[tuple[int, ...]]:
    """All ways in which n answers fall into so many categories."""
    if categories == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _ways(n - first, categories - 1):
            yield (first, *rest)


def _chance_of(counts: Sequence[int], chances: Sequence[float]) -> float:
    """The multinomial probability of these counts."""
    left, found = sum(counts), 1.0
    for n, chance in zip(counts, chances, strict=True):
        found *= comb(left, n) * chance**n
        left -= n
    return found


def _check_wish(half_width: float) -> None:
    if not 0 < half_width < 1:
        raise ValueError(f"half a width lies between 0 and 1, not at {half_width}")


def _check_agreement(alpha: float, shares: Sequence[float], raters: int) -> None:
    if not 0 <= alpha <= 1:
        raise ValueError(f"the expected agreement lies between 0 and 1, not at {alpha}")
    if not 2 <= len(shares) <= 5 or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-6:
        raise ValueError("give the shares of 2 to 5 categories, each above 0, 1 in sum")
    if not 2 <= raters <= 20:
        raise ValueError("an item has from 2 to 20 raters")
