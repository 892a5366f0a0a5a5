"""Two texts that grew from one."""

from dataclasses import replace
from typing import Any

from submissions.clashes import compare, resolve
from submissions.content import Content, Source
from tests.support.portal import CONTENT

BASE = CONTENT


def _with(**fields: Any) -> Content:
    return replace(BASE, **fields)


def test_a_field_changed_on_one_side_is_taken_from_there() -> None:
    comparison = compare(BASE, _with(known="mine"), _with(unknown="theirs"))

    assert (comparison.clashes, comparison.taken) == ((), ("What the AI knows",))
    assert comparison.merged == _with(known="mine", unknown="theirs")


def test_the_same_change_on_both_sides_is_no_question() -> None:
    comparison = compare(BASE, _with(known="same"), _with(known="same"))

    assert (comparison.clashes, comparison.merged) == ((), _with(known="same"))


def test_a_field_changed_on_both_sides_is_a_question() -> None:
    comparison = compare(BASE, _with(known="mine"), _with(known="theirs"))

    assert [clash.field for clash in comparison.clashes] == ["known"]
    assert comparison.clashes[0].together is None


def test_two_additions_are_put_together() -> None:
    comparison = compare(BASE, _with(known=f"{BASE.known} One."), _with(known=f"{BASE.known} Two."))

    assert comparison.clashes[0].together == f"{BASE.known} One. Two."


def test_two_additions_to_a_list_are_put_together() -> None:
    mine, saved = _with(sources=(*BASE.sources, Source("M"))), _with(sources=(*BASE.sources, Source("S")))
    comparison = compare(BASE, mine, saved)

    chosen, missing = resolve(comparison, mine, BASE, {"sources": "together"}, {})

    assert (missing, chosen.sources) == ((), (*BASE.sources, Source("M"), Source("S")))


def test_without_a_common_version_every_difference_is_a_question() -> None:
    comparison = compare(None, _with(known="mine", unknown="u"), BASE)

    assert [clash.field for clash in comparison.clashes] == ["known", "unknown"]


def test_choices_make_the_text() -> None:
    mine = _with(known="m1", unknown="m2", hard_cases="m3")
    saved = _with(known="s1", unknown="s2", hard_cases="s3")
    comparison = compare(BASE, mine, saved)

    choices = {"known": "mine", "unknown": "saved", "hard_cases": "together"}
    chosen, missing = resolve(comparison, mine, BASE, choices, {"hard_cases": "a third"})

    assert (missing, chosen) == ((), _with(known="m1", unknown="s2", hard_cases="a third"))


def test_a_question_without_an_answer_is_named() -> None:
    mine = _with(known="m")
    comparison = compare(BASE, mine, _with(known="s"))

    assert resolve(comparison, mine, BASE, {"known": "whatever"}, {})[1] == ("What the AI knows",)


def test_together_is_no_choice_where_nothing_can_be_put_together() -> None:
    mine = _with(polarity="positive")
    comparison = compare(_with(polarity=""), mine, _with(polarity="negative"))

    assert resolve(comparison, mine, _with(polarity=""), {"polarity": "together"}, {})[1] == ("Good or bad",)
