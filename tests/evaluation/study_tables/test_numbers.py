"""Numbers of studies: each with its range, or the reason why not."""

from typing import Any

import pytest

from evaluation.study_tables.numbers import duration_words, estimate_words


@pytest.mark.parametrize(
    ("found", "is_share", "words"),
    [
        ({"value": 3.214, "low": 2.9, "high": 3.5, "reason": ""}, False, "3.21 (2.90 to 3.50)"),
        ({"value": -0.046, "low": -0.1, "high": 0.005}, True, "−5 (−10 to 1)"),  # noqa: RUF001
        (
            {"value": 0.6, "low": 0.5, "high": 0.7, "reason": "rests on 4 metrics only: likely too narrow"},
            True,
            "60 (50 to 70; likely too narrow, as it rests on 4 metrics only)",
        ),
        ({"value": 0.6, "low": None, "reason": "no interval: fewer than 2 items"}, True,
         "60, no range: fewer than 2 items"),
        ({"value": 0.5, "low": None, "high": None}, True, "50, no range"),
        ({"value": None, "reason": "no context has both"}, False, "no scenario has both"),
        (None, False, "–"),
    ],
)  # fmt: skip
def test_number_stands_with_its_range_or_says_why_not(found: dict[str, Any] | None, is_share: bool, words: str) -> None:
    assert estimate_words(found, is_share=is_share) == words


def test_durations_are_seconds_then_minutes() -> None:
    assert [duration_words(seconds) for seconds in (None, 119, 150)] == ["–", "119 s", "2 min"]
