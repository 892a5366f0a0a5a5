"""What a criterion's wording shows, on sentences of our own."""

import pytest

from evaluation.importers.formats.criterion_wording import (
    Negation,
    is_in_other_letters,
    negation,
    optional_phrase,
    scale_phrase,
    several_phrase,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Does NOT name a price", Negation("absence", "Does NOT")),
        ("Doesn\u2019t name a price", Negation("absence", "Doesn\u2019t")),
        ("The reply is not a poem", Negation("absence", "is not")),
        ("No mention of a price", Negation("absence", "No")),
        ("Contains no price", Negation("absence", "Contains no")),
        ("Avoids prices", Negation("avoidance", "Avoids")),
        ("The response should avoid prices", Negation("avoidance", "avoid")),
        ("Explicitly refrains from prices", Negation("avoidance", "refrains from")),
        ("Fails to name a price", Negation("failure", "Fails to")),
        ("Does the chatbot fail to name a price?", Negation("failure", "fail to")),
        ("Should not name a price", Negation("prohibition", "Should not")),
        ("The assistant must never do so", Negation("prohibition", "never")),
        ("Never names a price", Negation("prohibition", "Never")),
        ("Don't name a price", Negation("prohibition", "Don't")),
        ("Names a price", None),
        ("Says that it does not know", None),
        ("Not only names a price but a date", None),
        ("Does not only name a price", None),
        ("Notes the price", None),
        ("Refuses to name a price", None),
        ("", None),
    ],
)
def test_negative_wording_is_found_at_the_main_verb_only(text, found):
    assert negation(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("May name a price", "May"),
        ("The reply might name a price", "might"),
        ("ideally names a price", "ideally"),
        ("May not name a price", None),
        ("Names what may happen", None),
        ("Maybe", None),
    ],
)
def test_optional_wording_is_found_at_the_beginning(text, found):
    assert optional_phrase(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Gives a score of 3 for warmth", "score of 3"),
        ("Rated from 1 to 5", "Rated from 1 to 5"),
        ("Scores a goal", None),
        ("Names 3 to 5 prices", None),
    ],
)
def test_scales_are_found(text, found):
    assert scale_phrase(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Names the price and offers help", "and offers"),
        ("Names the price; says why", "; s"),
        ("Names the price. Then it asks.", "ice. Th"),
        ("Names prices and dates", None),
        ("Names a price, e.g. Two euros", None),
    ],
)
def test_trap_18_several_behaviours_in_one_criterion_are_pointed_out(text, found):
    assert several_phrase(text) == found


def test_letters_that_are_not_latin_are_told_apart():
    texts = ("Nennt den Preis für Ärzte", "يذكر السعر", "说出价格", "12")

    assert [is_in_other_letters(text) for text in texts] == [False, True, True, False]


def test_very_long_blanks_and_words_are_read_in_no_time():
    for text in (" " * 200_000 + "x", "a" * 200_000, "the " * 50_000, "ly " * 50_000, "and " * 50_000):
        assert (negation(text), optional_phrase(text), scale_phrase(text)) == (None, None, None)
        several_phrase(text)
