"""Keys and names of drafts: stable, one for each, and fit for an address."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.importers.formats.draft_keys import Keys, key_of_id, key_of_words, name_of_words, same_words
from evaluation.importers.formats.slugs import is_local_id


@given(st.text())
def test_key_of_any_words_can_stand_in_an_address(text):
    assert is_local_id(key_of_words(text))
    assert is_local_id(key_of_id(text))


def test_same_words_have_the_same_key_and_other_words_another():
    keys = {key_of_words(text) for text in ("Say \u201cyes\u201d  now.", 'say "yes"\nnow', "Say yes now")}

    assert same_words("Say \u201cyes\u201d  now.") == same_words('say "yes"\nnow')
    assert len(keys) == 2


def test_role_tells_equal_words_apart():
    assert len({key_of_words("x"), key_of_words("x", "unwanted"), key_of_words("x", "other")}) == 3


def test_id_of_the_source_is_kept_where_it_can_be():
    assert [key_of_id("m01"), key_of_id("a/b")[:4]] == ["m01", "a-b-"]


def test_trap_19_second_use_of_an_id_gets_a_key_from_its_words():
    keys, others = Keys(), Keys()

    first = keys.take("a", "one")
    second = keys.take("a", "two")
    again = keys.take("a", "two")

    assert first == ("a", False)
    assert second == (key_of_words("two", "a"), True)
    assert len({first[0], second[0], again[0]}) == 3
    assert [others.take("a", "zero")[0], others.take("a", "two")[0]] == ["a", second[0]]


def test_long_words_are_cut_to_a_name_after_a_whole_word():
    assert name_of_words("Names  the\nprice.") == "Names the price"
    assert name_of_words("Names the price", 12) == "Names the…"
    assert name_of_words("x" * 20, 5) == "xxxx…"
    assert name_of_words("And so on...") == "And so on..."
