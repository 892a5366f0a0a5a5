"""What is planned is what a simulation finds."""

import numpy as np
import pandas as pd
import pytest

from evaluation.statistics.agreement import alpha_of, coincidences, krippendorff_alpha
from evaluation.statistics.intervals import Z_95
from evaluation.studies.planning import (
    agreement_half_width,
    agreement_variance,
    items_for_share,
    plans_for_agreement,
    plans_for_mean,
)


@pytest.mark.parametrize(
    ("alpha", "shares", "raters"), [(0.5, (0.5, 0.4, 0.1), 4), (0.2, (0.6, 0.4), 2), (0.8, (0.3, 0.7), 3)]
)
def test_planned_items_give_the_wished_width_of_alpha(alpha: float, shares: tuple[float, ...], raters: int) -> None:
    wish = 0.1
    (plan,) = plans_for_agreement(alpha=alpha, shares=shares, half_width=wish, ratings_per_rater=40, raters=(raters,))
    chance = np.random.default_rng(5)

    found = [_simulated_alpha(alpha, shares, raters, plan.n_items, chance) for _ in range(800)]

    assert np.mean(found) == pytest.approx(alpha, abs=0.02)
    assert Z_95 * np.std(found) == pytest.approx(wish, rel=0.12)
    assert plan.n_ratings == plan.n_items * raters
    assert plan.n_raters * 40 >= plan.n_ratings > (plan.n_raters - 1) * 40


def test_planned_items_give_the_wished_width_of_a_mean() -> None:
    plans = plans_for_mean(sd_items=0.6, sd_raters=0.8, half_width=0.1, ratings_per_rater=20)
    chance = np.random.default_rng(6)

    for plan in plans[:3]:
        of_items = chance.normal(3, 0.6, (2000, plan.n_items))
        noise = chance.normal(0, 0.8 / plan.raters_per_item**0.5, (2000, plan.n_items))
        assert Z_95 * (of_items + noise).mean(axis=1).std() == pytest.approx(0.1, rel=0.06)
    assert [plan.n_items for plan in plans] == sorted((plan.n_items for plan in plans), reverse=True)


def test_planned_items_give_the_wished_width_of_a_share_in_clusters() -> None:
    n = items_for_share(share=0.8, half_width=0.06, items_per_metric=9, correlation=0.2)
    chance = np.random.default_rng(7)

    # Beta-binomial metrics: the intraclass correlation is 1 / (a + b + 1).
    rates = chance.beta(0.8 * 4, 0.2 * 4, (4000, round(n / 9)))
    found = chance.binomial(9, rates).mean(axis=1) / 9

    assert Z_95 * found.std() == pytest.approx(0.06, rel=0.06)
    assert items_for_share(share=0.8, half_width=0.06) == 171
    assert items_for_share(share=0.8, half_width=0.06, left_out=0.5) == 342


def test_more_items_and_more_raters_narrow_the_interval() -> None:
    widths = [
        agreement_half_width(alpha=0.5, shares=(0.5, 0.5), raters=raters, n_items=items)
        for raters, items in ((2, 50), (3, 50), (3, 200))
    ]

    assert widths == sorted(widths, reverse=True)
    assert widths[1] == pytest.approx(2 * widths[2])
    assert agreement_variance(alpha=1.0, shares=(0.5, 0.5), raters=3) == pytest.approx(0)


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(ValueError, match="half a width"):
        plans_for_agreement(alpha=0.5, shares=(0.5, 0.5), half_width=0, ratings_per_rater=9)
    with pytest.raises(ValueError, match="shares of 2 to 5"):
        agreement_variance(alpha=0.5, shares=(0.5, 0.4), raters=2)
    with pytest.raises(ValueError, match="from 2 to 20 raters"):
        agreement_variance(alpha=0.5, shares=(0.5, 0.5), raters=1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        items_for_share(share=1.2, half_width=0.1)
    with pytest.raises(ValueError, match="a half width is above 0"):
        plans_for_mean(sd_items=1, sd_raters=1, half_width=0, ratings_per_rater=9)


def _simulated_alpha(
    alpha: float, shares: tuple[float, ...], raters: int, n_items: int, chance: np.random.Generator
) -> float:
    truth = chance.choice(len(shares), n_items, p=shares)
    guesses = chance.choice(len(shares), (n_items, raters), p=shares)
    said = np.where(chance.random((n_items, raters)) < alpha**0.5, truth[:, None], guesses)
    counts = np.stack([(said == category).sum(axis=1) for category in range(len(shares))], axis=1).astype(float)
    return float(alpha_of(coincidences(counts).sum(axis=0)))


def test_the_simulation_uses_the_same_alpha_as_a_table_of_ratings() -> None:
    counts = np.array([[2.0, 1.0], [0.0, 3.0], [3.0, 0.0]])
    ratings = pd.DataFrame([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]])

    assert float(alpha_of(coincidences(counts).sum(axis=0))) == krippendorff_alpha(ratings).value
