"""Two texts compared word by word, two lists, and two additions put together."""

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.advice.worddiff import ListDiff, Segment, diff, diff_lists, merge

TEXTS = st.lists(
    st.sampled_from(["a", "b", "the", "symptom", "asks", " ", "\n", ". ", "’s", "痛み", "x"]), max_size=40
).map("".join)


def _short(old: str, new: str) -> str:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}
    return "".join(marks[segment.kind].format(segment.text) for segment in diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("", "", ""),
        ("The same.", "The same.", "The same."),
        ("", "New text.", "[+New text.+]"),
        ("Old text.", "", "[-Old text.-]"),
        ("Names one sign.", "Names two signs.", "Names [-one sign-][+two signs+]."),
        ("Asks first.", "Asks about signs first.", "Asks [+about signs +]first."),
        ("Asks about signs first.", "Asks first.", "Asks [-about signs -]first."),
        ("One. Two.", "One. Two. Three.", "One. Two.[+ Three.+]"),
        ("One, two", "One; two", "One[-,-][+;+] two"),
        ("first\nsecond", "first\n\nsecond", "first[-\n-][+\n\n+]second"),
        ("the user’s pain", "the person’s pain", "the [-user’s-][+person’s+] pain"),
        ("痛みは無害です", "痛みは危険です", "痛みは[-無害-][+危険+]です"),
        (
            "It tells the user that pain is harmless before it asks.",
            "It says to a person that pain is harmless, and never asks.",
            "It [-tells the user-][+says to a person+] that pain is harmless[- before it-][+, and never+] asks.",
        ),
    ],
)
def test_a_change_is_shown_word_by_word(old: str, new: str, shown: str) -> None:
    assert _short(old, new) == shown


def test_a_small_equal_word_between_two_replacements_is_joined_with_them() -> None:
    assert diff("red or green sky", "warm or cold sky") == (
        Segment("removed", "red or green"),
        Segment("added", "warm or cold"),
        Segment("same", " sky"),
    )


def test_a_small_equal_word_between_two_additions_stays() -> None:
    assert _short("it is so", "it surely is very so") == "it [+surely +]is[+ very+] so"


@given(TEXTS, TEXTS)
def test_the_segments_make_up_both_texts(old: str, new: str) -> None:
    segments = diff(old, new)

    assert "".join(s.text for s in segments if s.kind != "added") == old
    assert "".join(s.text for s in segments if s.kind != "removed") == new
    assert all(a.kind != b.kind for a, b in pairwise(segments))


@pytest.mark.parametrize("n_words", [1, 3, 60, 150, 1000, 5000])
def test_long_texts_are_compared_in_bounded_time(n_words: int) -> None:
    draw = random.Random(0)
    old, new = (" ".join(str(draw.randrange(n_words)) for _ in range(5000)) for _ in range(2))
    began = time.thread_time()

    segments = diff(old, new)

    assert "".join(s.text for s in segments if s.kind != "added") == old
    assert time.thread_time() - began < 5


def test_a_new_sentence_in_a_long_text_is_found_alone() -> None:
    sentences = [f"The rule number {n} says that the assistant asks first." for n in range(350)]
    old = " ".join(sentences)
    new = " ".join([*sentences[:200], "It may also ask twice.", *sentences[200:]])

    assert [segment.text for segment in diff(old, new) if segment.kind == "added"] == ["It may also ask twice. "]


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ((), (), ListDiff((), (), 0)),
        (("a", "b"), ("b", "c"), ListDiff(("c",), ("a",), 1)),
        (("a", "b"), ("b", "a"), ListDiff((), (), 2)),
        (("a",), ("a", "a"), ListDiff(("a",), (), 1)),
        (("a", "a"), ("a",), ListDiff((), ("a",), 1)),
    ],
)
def test_lists_are_compared_by_their_items(old: tuple[str, ...], new: tuple[str, ...], result: ListDiff) -> None:
    assert diff_lists(old, new) == result


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("Base.", "Base. Mine.", "Base. Theirs.", "Base. Mine. Theirs."),
        ("Base.", "Mine. Base.", "Base. Theirs.", "Mine. Base. Theirs."),
        ("Base.", "Mine. Base.", "Theirs. Base.", "Mine. Theirs. Base."),
        ("a c", "a b c", "a c d", "a b c d"),
        ("", "Mine.", "Theirs.", "Mine. Theirs."),
        ("Base.", "Base.\n\nMine.", "Base.\n\nTheirs.", "Base.\n\nMine.\n\nTheirs."),
        ("Base.", "Base. Both.", "Base. Both.", "Base. Both."),
        ("Base.", "Base. Both.", "Base. Both. More.", "Base. Both. More."),
        ("Base.", "Base.", "Other.", "Other."),
        ("Base.", "Other.", "Base.", "Other."),
        ("Base one.", "Base two.", "Base one. Theirs.", None),
        ("Base one.", "Base one. Mine.", "Base.", None),
        ("good", "goodness", "good day", None),
    ],
)
def test_two_additions_are_put_together(base: str, mine: str, theirs: str, merged: str | None) -> None:
    assert merge(base, mine, theirs) == merged


@given(TEXTS, TEXTS, TEXTS)
def test_what_two_additions_make_holds_the_base(base: str, mine: str, theirs: str) -> None:
    mine, theirs = f"{base} {mine}.", f"{theirs}. {base}"

    merged = merge(base, mine, theirs)

    assert merged is None or all(segment.kind != "removed" for segment in diff(base, merged))
