"""The judges of the long proofs: that they would notice what they promise to notice."""

from collections import Counter

import pytest

from tests.bench.full_scale import shape
from tests.bench.histories import Comparison, Saved, digest
from tests.bench.limits import most_in_a_window
from tests.bench.promises import Promises

TURNS = [("One?", "First."), ("Two?", "Second.")]


def _asked(*requests: list[tuple[str, str]]) -> Counter[tuple[bytes, bytes]]:
    return Counter((digest(said[:-1]), digest(said)) for said in requests)


def _request(*texts: str) -> list[tuple[str, str]]:
    """Messages by turns of the user and the target, as a target is sent them."""
    return [("assistant" if place % 2 else "user", text) for place, text in enumerate(texts)]


def test_calls_that_follow_what_is_saved_differ_in_nothing() -> None:
    saved = Saved()
    saved.add(TURNS)

    found = saved.against(_asked(_request("One?"), _request("One?", "First.", "Two?")))

    assert found == Comparison(saved=2)


def test_repeated_lost_strange_and_missing_calls_are_told_apart() -> None:
    saved = Saved()
    saved.add(TURNS)

    found = saved.against(
        _asked(
            _request("One?"),
            _request("One?"),
            _request("One?", "First.", "In other words?"),
            _request("One?", "A reply that nobody saved.", "Two?"),
        )
    )

    assert found == Comparison(saved=2, repeated=1, lost=1, strange=1, unasked=1)


@pytest.mark.parametrize(
    ("arrivals", "most"), [([], 0), ([0.0, 59.9, 60.0], 2), ([0.0, 50.0, 60.0, 65.0, 109.9], 4), ([5.0] * 3, 3)]
)
def test_the_fullest_minute_is_found_wherever_it_begins(arrivals: list[float], most: int) -> None:
    assert most_in_a_window(arrivals) == most


@pytest.mark.parametrize(("wanted", "found"), [(48_540, (809, 10)), (500, (10, 8)), (1, (1, 1))])
def test_a_smaller_run_keeps_the_shape_of_the_paper(wanted: int, found: tuple[int, int]) -> None:
    assert shape(wanted) == found


def test_a_broken_promise_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    promises = Promises("proof")
    promises.check("one", holds=True, found="yes")
    promises.check("two", holds=False, found="no")

    with pytest.raises(SystemExit) as ended:
        promises.close()

    assert ended.value.code == 1
    assert [line.split("  ", 2)[-1] for line in capsys.readouterr().out.splitlines()] == [
        "kept    one: yes",
        "BROKEN  two: no",
        "proof: BROKEN, 1 of its promises: two",
    ]
