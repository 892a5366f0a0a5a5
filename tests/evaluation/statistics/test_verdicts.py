"""The polarity rule, and the verdict that counts over repeats and judges."""

import pytest

from evaluation.statistics.verdicts import majority, outcome


@pytest.mark.parametrize(
    ("present", "polarity", "passes"),
    [
        (True, "positive", True),
        (False, "positive", False),
        (True, "negative", False),
        (False, "negative", True),
        (None, "positive", None),
        (None, "negative", None),
        (True, None, None),
    ],
)
def test_outcome_follows_polarity(present, polarity, passes):
    assert outcome(present, polarity) is passes


def test_outcome_of_a_strange_polarity_is_refused():
    with pytest.raises(ValueError, match="not 'neutral'"):
        outcome(True, "neutral")


@pytest.mark.parametrize(
    ("presents", "reasons", "verdict"),
    [
        ([True], [], (True, "")),
        ([True, False, False], [], (False, "")),
        ([True, None, None], ["judge-empty", "judge-empty"], (True, "")),
        ([True, False], [], (None, "split")),
        ([True, False, None], ["judge-empty"], (None, "split")),
        ([None, None, None], ["b", "a", "b"], (None, "b")),
        ([None, None], ["b", "a"], (None, "a")),
        ([None], [""], (None, "not-judged")),
        ([], [], (None, "not-judged")),
    ],
)
def test_majority_over_repeats_and_judges(presents, reasons, verdict):
    assert majority(presents, reasons) == verdict
