"""A judge passes by the lower bound of its agreement."""

import pytest

from evaluation.studies.calibration import Answer, calibration, passes


@pytest.mark.parametrize(
    ("low", "n", "answer"), [(0.7, 30, "yes"), (0.699, 300, "no"), (0.9, 29, "too few"), (None, 300, "too few")]
)
def test_the_lower_bound_decides(low: float | None, n: int, answer: str) -> None:
    assert passes(low, n) == answer


def test_a_set_too_small_for_the_setting_is_too_few_at_any_agreement() -> None:
    assert passes(0.85, 30, setting=0.9) is Answer.TOO_FEW


def test_agreement_is_counted_over_the_calibration_set() -> None:
    settled = [True, False] * 30
    metrics = [f"m{n % 6}" for n in range(60)]

    found = calibration(settled, settled, metrics)
    worse = calibration([not verdict if n < 15 else verdict for n, verdict in enumerate(settled)], settled, metrics)
    silent = calibration([None if n < 30 else verdict for n, verdict in enumerate(settled)], settled, metrics)

    assert (found.answer, found.agreement.value, found.agreement.n) == ("yes", 1.0, 60)
    assert found.agreement.low == pytest.approx(60 / (60 + 1.959963984540054**2))
    assert (worse.answer, worse.agreement.value) == ("no", 0.75)
    assert (silent.answer, silent.n_unjudged, silent.agreement.value) == ("no", 30, 0.5)


def test_the_lower_of_two_lower_ends_counts() -> None:
    settled = [True] * 40
    judged = [False, False, *settled[2:]]

    # Both metrics are at 95 %: draws of metrics alone would see no spread.
    found = calibration(judged, settled, [f"m{n % 2}" for n in range(40)])

    assert (found.agreement.value, found.agreement.low) == (0.95, pytest.approx(0.8350, abs=1e-3))


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 verdicts, 2 settled ones and 2 metrics"):
        calibration([True], [True, False], ["a", "b"])
