"""Where the variance comes from, and how much to measure."""

import numpy as np
import pandas as pd
import pytest

from evaluation.statistics.design import (
    Components,
    Design,
    half_width,
    labels_for,
    metrics_for,
    scenarios_for,
    smallest_difference,
    standard_error,
    variance_components,
)

KNOWN = Components(metric=0.04, scenario=0.03, profile=0.02, sample=0.06, repeat=0.01)


def simulated(components: Components, *, metrics: int, parts: tuple[int, int, int, int], seed: int) -> pd.DataFrame:
    """Outcomes of a nested design with normal effects; `parts` a unit of each level below the metric."""
    words = np.random.default_rng(seed)
    shape = (metrics, *parts)
    variances = (
        components.metric, components.scenario, components.profile, components.sample, components.repeat
    )  # fmt: skip
    values = np.full(shape, 0.5)
    for level, variance in enumerate(variances):
        assert variance is not None
        size = shape[: level + 1] + (1,) * (len(shape) - level - 1)
        values = values + words.normal(0, np.sqrt(variance), size)
    index = pd.MultiIndex.from_product(
        [range(n) for n in shape], names=["metric", "scenario", "profile", "sample", "repeat"]
    )
    return pd.DataFrame({"passed": values.ravel()}, index=index).reset_index()


def test_variance_components_of_a_large_design_come_near_the_truth():
    found = variance_components(simulated(KNOWN, metrics=3000, parts=(3, 2, 2, 2), seed=3))

    assert [found.metric, found.scenario, found.profile, found.sample, found.repeat] == pytest.approx(
        [0.04, 0.03, 0.02, 0.06, 0.01], abs=0.004
    )


def test_variance_components_without_repeats_are_unknown_there_and_taken_in_above():
    outcomes = simulated(KNOWN, metrics=2000, parts=(3, 2, 1, 1), seed=4)

    found = variance_components(outcomes)

    assert (found.sample, found.repeat) == (None, None)
    assert found.profile == pytest.approx(0.02 + 0.06 + 0.01, abs=0.006)


def test_variance_components_of_an_unbalanced_design_by_hand():
    rows = [("a", 1, 1.0), ("a", 2, 0.0), ("b", 1, 1.0), ("b", 2, 1.0), ("c", 1, 0.0)]
    outcomes = pd.DataFrame(
        [{"metric": m, "scenario": s, "profile": "x", "sample": 1, "repeat": 1, "passed": p} for m, s, p in rows]
    )

    found = variance_components(outcomes)

    assert (found.profile, found.sample, found.repeat) == (None, None, None)
    assert found.scenario == pytest.approx((0.5 + 0.0) / 2)
    # Means 0.5, 1, 0 vary by 0.25; their own noise is 0.125, 0.125 and, with one scenario, not known.
    assert found.metric == pytest.approx(0.25 - (0.125 + 0.125 + 0.0) / 3)


def test_standard_error_and_what_follows_from_it_are_consistent():
    design = Design(metrics=100, scenarios=3, profiles=2)
    variance = 0.04 + 0.03 / 3 + (0.02 + 0.06 + 0.01) / 6

    assert standard_error(KNOWN, design) == pytest.approx(np.sqrt(variance / 100))
    assert half_width(KNOWN, Design(metrics_for(KNOWN, design, half_width=0.03))) <= 0.03
    assert half_width(KNOWN, Design(metrics_for(KNOWN, design, half_width=0.03) - 1)) > 0.03


def test_scenarios_for_a_width_that_only_metrics_can_reach_are_none():
    assert scenarios_for(KNOWN, Design(metrics=10), half_width=0.05) is None
    wanted = scenarios_for(KNOWN, Design(metrics=100), half_width=0.045)
    assert wanted is not None
    assert half_width(KNOWN, Design(metrics=100, scenarios=wanted)) <= 0.045


def test_smallest_difference_shrinks_with_pairing():
    design = Design(metrics=100)

    assert smallest_difference(KNOWN, design, correlation=0.75) == pytest.approx(
        smallest_difference(KNOWN, design, correlation=0.0) / 2
    )


def test_labels_for_a_perfect_judge_are_the_fewest_and_for_a_useless_one_those_of_a_poll():
    labels = [True, False] * 50

    assert labels_for(labels, labels, half_width=0.05) == 2
    assert labels_for(labels, [False] * 100, half_width=0.05) == pytest.approx(0.2525 * (1.96 / 0.05) ** 2, abs=1)


@pytest.mark.parametrize("width", [0.0, 1.0, -0.1])
def test_an_impossible_width_is_refused(width):
    with pytest.raises(ValueError, match="between 0 and 1"):
        metrics_for(KNOWN, Design(10), half_width=width)
