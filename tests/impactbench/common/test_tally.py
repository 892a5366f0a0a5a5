"""Counting in the cache."""

import time

from impactbench.common.tally import tally


def test_counts_go_up_and_are_kept_apart() -> None:
    assert [tally("a", 60), tally("a", 60), tally("b", 60), tally("a", 60)] == [1, 2, 1, 3]


def test_counting_begins_anew_when_the_time_is_over() -> None:
    first = tally("short", 1)
    time.sleep(1.1)

    assert (first, tally("short", 1)) == (1, 1)
