"""What is computed of releases is computed once, under a name that tells all it rests on."""

import pytest

from evaluation.models import Release
from evaluation.selectors import kept


def release(content: str = "a" * 64) -> Release:
    return Release(pk=1, content_hash=content, resamples=100, seed=0)


def test_value_is_computed_once() -> None:
    asked: list[int] = []

    def compute() -> str:
        asked.append(1)
        return "value"

    name = kept.name_of("thing", [release()])

    assert [kept.once(name, compute), kept.once(name, compute)] == ["value", "value"]
    assert asked == [1]


def test_only_what_is_missing_is_computed_and_all_stand_in_their_order() -> None:
    names = [kept.name_of("thing", [release()], detail) for detail in "abc"]
    kept.once(names[1], lambda: "B")

    found = kept.once_each(names, lambda missing: [f"made {place}" for place in missing])

    assert found == ["made 0", "B", "made 2"]


@pytest.mark.parametrize(
    "other",
    [
        kept.name_of("other", [release()], 5),
        kept.name_of("thing", [release("b" * 64)], 5),
        kept.name_of("thing", [release()], 6),
        kept.name_of("thing", [release(), release()], 5),
    ],
)
def test_name_tells_what_a_value_rests_on(other: str) -> None:
    assert kept.name_of("thing", [release()], 5) != other


def test_nothing_is_asked_for_nothing() -> None:
    assert kept.once_each([], lambda missing: missing) == []
