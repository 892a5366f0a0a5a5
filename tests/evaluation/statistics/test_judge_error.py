"""The judge's errors carried into the rate."""

import numpy as np
import pytest

from evaluation.statistics.judge_error import Corrected, prediction_powered_rate, rogan_gladen_rate


def _width(found: Corrected) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_prediction_powered_rate_by_hand():
    labels, verdicts = [True, True, False, False], [True, False, False, False]
    others = [True] * 30 + [False] * 70
    y, f = np.array(labels, float), np.array(verdicts, float)
    power = np.cov(y, f)[0, 1] / ((1 + 4 / 100) * f.var(ddof=1))
    power = min(max(power, 0.0), 1.0)

    found = prediction_powered_rate(labels, verdicts, others)

    assert found.power == pytest.approx(power)
    assert found.value == pytest.approx(0.5 + power * (0.3 - 0.25))
    assert (found.n_labelled, found.n_judged) == (4, 104)


def test_prediction_powered_rate_of_a_judge_that_says_nothing_is_the_rate_of_the_labels():
    found = prediction_powered_rate([True, False, True, True], [True] * 4, [True] * 50)

    assert (found.value, found.power) == (0.75, 0.0)


def test_prediction_powered_rate_covers_the_truth_where_the_raw_rate_is_far_off():
    words = np.random.default_rng(0)
    covered = raw_covered = 0
    for _ in range(300):
        truth = words.random(2100) < 0.6
        judged = np.where(words.random(2100) < 0.85, truth, True)
        found = prediction_powered_rate(truth[:100].tolist(), judged[:100].tolist(), judged[100:].tolist())
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.6 <= found.high
        raw_covered += abs(judged.mean() - 0.6) < 1.96 * np.sqrt(0.6 * 0.4 / 2100)

    assert (covered >= 275, raw_covered) == (True, 0)


def test_prediction_powered_rate_with_one_label_or_one_cluster_has_none():
    assert prediction_powered_rate([True], [True], [True]) == Corrected(
        None, None, None, 1, 2, None, "fewer than 2 labels"
    )
    found = prediction_powered_rate([True, False, True], [True, False, False], [True] * 9, clusters=["m"] * 3)
    assert (found.value, found.reason) == (None, "fewer than 2 metrics have labels")


def test_prediction_powered_rate_with_clusters_is_wider_when_metrics_differ():
    labels = [True] * 10 + [False] * 10
    verdicts = [True, False] * 10
    metrics = ["a"] * 10 + ["b"] * 10

    plain = prediction_powered_rate(labels, verdicts, [True, False] * 50)
    clustered = prediction_powered_rate(labels, verdicts, [True, False] * 50, clusters=metrics)

    assert plain.value == clustered.value
    assert _width(clustered) > _width(plain)


def test_prediction_powered_rate_of_labels_without_verdicts_is_refused():
    with pytest.raises(ValueError, match="2 labels belong to 1 verdicts"):
        prediction_powered_rate([True, False], [True], [])


@pytest.mark.parametrize(
    ("apparent", "sensitivity", "specificity", "expected"),
    [(0.55, 0.9, 0.8, 0.5), (0.05, 0.9, 0.8, 0.0), (0.95, 0.9, 0.8, 1.0), (0.5, 0.5, 0.5, None)],
)
def test_rogan_gladen_rate(apparent, sensitivity, specificity, expected):
    found = rogan_gladen_rate(apparent, sensitivity, specificity)

    assert found == (None if expected is None else pytest.approx(expected))
