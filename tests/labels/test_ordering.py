"""Orders and groups of models: by name unless asked, brackets from what can be told apart, the untested outside."""

from typing import Any

import pytest

from evaluation.models import LanguageModel
from labels.differences import Place
from labels.numbers import number
from labels.ordering import Row, row_groups
from tests.labels.test_cells import result

OUTSIDE = "Not tested enough: shown, not placed in the order."


def row(name: str, rate: float, group: int | None = None, **fields: Any) -> Row:
    model = LanguageModel(pk=ord(name[0]), name=name, slug=name)
    own = result(group="subarea", pass_rate=rate, ci_low=rate - 0.05, ci_high=rate + 0.05, **fields)
    place = Place(model, own, group, group, group) if group else None
    return Row(model, number(own), place)


def shown(rows: list[Row], sort: str) -> list[tuple[list[str], str, bool]]:
    return [([one.model.name for one in group.rows], group.words, group.is_tie) for group in row_groups(rows, sort)]


def test_rows_by_name_stand_in_one_group_without_words() -> None:
    rows = [row("a", 0.2, 2), row("b", 0.9, 1), row("c", 0.5, 1)]

    assert shown(rows, "name") == [(["a", "b", "c"], "", False)]


def test_rows_by_number_stand_in_brackets_of_what_cannot_be_told_apart() -> None:
    rows = [row("a", 0.2, 2), row("b", 0.9, 1), row("c", 0.5, 1), row("d", 0.8, 1), row("e", 0.1, 3), row("f", 0.15, 2)]

    assert shown(rows, "number") == [
        (["b", "d", "c"], "The first of these 3 can’t be told apart from any of the others.", True),
        (["a", "f"], "The first of these 2 can’t be told apart from the other.", True),
        (["e"], "", False),
    ]


@pytest.mark.parametrize("sort", ["name", "number", "high"])
@pytest.mark.parametrize("fields", [{"coverage": 0.79}, {"n_judged": 29, "n_passed": 20}])
def test_rows_tested_too_little_stand_outside_every_order(sort: str, fields: dict[str, Any]) -> None:
    rows = [row("a", 0.99, **fields), row("b", 0.5, 1), row("c", 0.4, 1)]

    groups = shown(rows, sort)

    assert groups[-1] == (["a"], OUTSIDE, False)
    assert [name for names, _, _ in groups[:-1] for name in names] == ["b", "c"]


def test_rows_without_any_place_are_one_list_without_a_bracket() -> None:
    rows = [row("a", 0.2), row("b", 0.9)]

    assert shown(rows, "number") == [(["b", "a"], "", False)]


def test_rows_that_tie_in_the_sorted_number_stay_by_name() -> None:
    rows = [row("a", 0.2), row("b", 0.9), row("c", 0.2)]

    assert shown(rows, "chats") == [(["a", "b", "c"], "", False)]
