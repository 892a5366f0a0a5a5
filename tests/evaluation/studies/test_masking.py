"""Letters and orders are by chance, frozen, and fair."""

from collections import Counter

from evaluation.studies import forms
from evaluation.studies.masking import letters, options_order, order
from evaluation.studies.questions import Question


def _question(key: str) -> Question:
    return next(question for question in forms.CONVERSATION.questions if question.key == key)


def test_letters_are_frozen_within_a_key_and_differ_between_keys() -> None:
    first = letters(["x", "y", "z"], key="r1/m/s", seed=1)

    assert first == letters(["z", "y", "x"], key="r1/m/s", seed=1)
    assert sorted(first.values()) == ["A", "B", "C"]
    shown = Counter(letters(["x", "y", "z"], key=f"r1/m/{n}", seed=1)["x"] for n in range(300))
    assert all(70 <= n <= 130 for n in shown.values())


def test_letters_go_on_after_z() -> None:
    dealt = letters([f"t{n}" for n in range(28)], key="k", seed=1)

    assert sorted(dealt.values(), key=lambda letter: (len(letter), letter))[-3:] == ["Z", "AA", "AB"]


def test_a_new_item_moves_no_other() -> None:
    before = order(["a", "b", "c", "d"], key="r1", seed=2)

    after = order(["a", "b", "c", "d", "e"], key="r1", seed=2)

    assert [item for item in after if item != "e"] == before


def test_opposite_answers_turn_together_for_a_rater_and_doubt_is_last() -> None:
    outcome, plausible = _question("outcome"), _question("plausible")

    seen: Counter[str] = Counter()
    for n in range(200):
        one, other = (options_order(question, rater=f"r{n}", seed=1) for question in (outcome, plausible))
        assert (one[-1].value, other[-1].value) == ("borderline", "not-sure")
        assert (one[0].value == "pass") == (other[0].value == "yes")
        seen[one[0].value] += 1
    assert all(70 <= n <= 130 for n in seen.values())


def test_scales_and_lists_keep_their_order() -> None:
    for key in ("confidence", "difficulty", "influences"):
        assert options_order(_question(key), rater="r", seed=1) == _question(key).options
