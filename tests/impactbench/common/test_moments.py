"""Moments in words, in UTC and for the reader."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from impactbench.common.moments import when, when_in

DEADLINE = datetime(2027, 1, 8, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "Friday 8 January 2027, 23:59 UTC."),
        ("Europe/Berlin", "Friday 8 January 2027, 23:59 UTC. For you that is Saturday, 00:59."),
        ("America/New_York", "Friday 8 January 2027, 23:59 UTC. For you that is 18:59."),
        ("Africa/Abidjan", "Friday 8 January 2027, 23:59 UTC."),
        ("Nowhere/Land", "Friday 8 January 2027, 23:59 UTC."),
        ("../../etc/passwd", "Friday 8 January 2027, 23:59 UTC."),
        ("a\x00b", "Friday 8 January 2027, 23:59 UTC."),
        ("x" * 5000, "Friday 8 January 2027, 23:59 UTC."),
    ],
)
def test_moment_is_said_in_utc_and_for_the_reader(zone: str, text: str) -> None:
    assert when_in(DEADLINE, zone) == text


def test_daylight_saving_is_that_of_the_moment() -> None:
    assert when_in(datetime(2027, 7, 1, 12, 0, tzinfo=UTC), "Europe/Berlin").endswith("For you that is 14:00.")


@pytest.mark.parametrize("user", [None, SimpleNamespace(), SimpleNamespace(time_zone="")])
def test_person_without_a_zone_reads_utc(user: object) -> None:
    assert when(DEADLINE, user) == "Friday 8 January 2027, 23:59 UTC."


def test_person_with_a_zone_reads_their_own_time() -> None:
    assert when(DEADLINE, SimpleNamespace(time_zone="Asia/Kolkata")).endswith("For you that is Saturday, 05:29.")
