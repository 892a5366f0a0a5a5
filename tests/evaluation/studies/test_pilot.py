"""A pilot tells the spreads that it was made with."""

import numpy as np
import pandas as pd
import pytest

from evaluation.studies.pilot import Spread, spread, used_shares


def test_spreads_are_recovered_from_unequal_numbers_of_ratings() -> None:
    chance = np.random.default_rng(8)
    rows = [
        (item, "mark", mean + noise)
        for item, mean in enumerate(chance.normal(3, 0.7, 800))
        for noise in chance.normal(0, 0.5, 1 + item % 4)
    ]

    found = spread(pd.DataFrame(rows, columns=["item", "question", "value"]), "mark")

    assert (found.sd_items, found.sd_raters) == pytest.approx((0.7, 0.5), abs=0.04)
    assert (found.n_items, found.n_ratings) == (800, 2000)


def test_two_items_with_two_ratings_each_by_hand() -> None:
    ratings = pd.DataFrame({"item": [1, 1, 2, 2], "question": "mark", "value": [1, 3, 4, 4]})

    found = spread(ratings, "mark")

    # Within: (1 + 1 + 0 + 0) / 2 = 1; between: 2 (1 + 1) / 1 = 4; n0 = 2.
    assert (found.sd_items, found.sd_raters) == (pytest.approx(1.5**0.5), 1.0)


def test_too_little_tells_nothing() -> None:
    ratings = pd.DataFrame({"item": [1, 2], "question": "mark", "value": [1, 3]})

    assert spread(ratings, "mark") == Spread(None, None, 2, 2)
    assert spread(ratings, "other") == Spread(None, None, 0, 0)


def test_shares_of_answers() -> None:
    ratings = pd.DataFrame({"item": [1, 1, 2, 2], "question": "outcome", "value": ["pass", "fail", "pass", "pass"]})

    assert used_shares(ratings, "outcome") == {"fail": 0.25, "pass": 0.75}
    assert used_shares(ratings, "other") == {}
