"""A reader's own weights."""

import numpy as np
import pytest

from evaluation.statistics.weighting import Weighted, mixed_draws, told_apart, weighted_rates

RATES: dict[str, list[float | None]] = {"mind": [0.8, 0.6, None], "body": [0.4, 0.7, 0.9]}
DRAWS = {
    "mind": np.stack([np.linspace(0.7, 0.9, 100), np.linspace(0.5, 0.7, 100), np.full(100, np.nan)]),
    "body": np.stack([np.linspace(0.3, 0.5, 100), np.linspace(0.6, 0.8, 100), np.linspace(0.8, 1.0, 100)]),
}


def test_weighted_rates_mix_areas_as_the_reader_says_and_leave_out_a_model_without_data():
    found = weighted_rates(RATES, {"mind": 3, "body": 1}, DRAWS)

    assert found[0].value == pytest.approx(0.7)
    assert found[1].value == pytest.approx(0.625)
    assert (found[0].rank_low, found[0].rank_high, found[1].rank_low) == (1, 1, 2)
    assert found[2] == Weighted(None, None, None, None, None)


def test_weighted_rates_of_one_area_are_that_areas_rates_with_their_ends():
    found = weighted_rates(RATES, {"mind": 0, "body": 5}, DRAWS)

    assert [item.value for item in found] == [0.4, 0.7, 0.9]
    assert (found[0].low, found[0].high) == (DRAWS["body"][0][2], DRAWS["body"][0][97])


@pytest.mark.parametrize(
    ("weights", "message"),
    [({"soul": 1}, "no area 'soul'"), ({"mind": -1}, "cannot be negative"), ({"mind": 0}, "must count"), ({}, "must")],
)
def test_weighted_rates_of_unusable_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        weighted_rates(RATES, weights, DRAWS)


def test_told_apart_needs_a_difference_that_holds_after_the_correction_and_two_metrics():
    draws = np.stack([np.linspace(0.7, 0.9, 100), np.linspace(0.1, 0.3, 100), np.linspace(0.9, 0.7, 100)])

    assert told_apart(draws, n_metrics=8) == {(0, 1): True, (0, 2): None, (1, 2): False}
    assert told_apart(draws, n_metrics=1) == {(0, 1): None, (0, 2): None, (1, 2): None}
    assert told_apart(draws[:1], n_metrics=8) == {}


def test_mixed_draws_are_the_weighted_mean_of_the_areas_draws():
    mixed = mixed_draws({"mind": 3, "body": 1}, DRAWS)

    np.testing.assert_allclose(mixed[0], (3 * DRAWS["mind"][0] + DRAWS["body"][0]) / 4)
