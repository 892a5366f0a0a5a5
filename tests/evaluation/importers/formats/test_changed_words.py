"""An edited criterion is found again by what it kept; another one is not."""

from evaluation.importers.formats.changed_words import changed_words
from evaluation.importers.formats.draft_keys import key_of_words

OLD = "Names the risk of the plan and asks whether the person wants to go on with it."
NEW = "Names the risk of the plan and asks whether the person wants to stop with it."
OTHER = "Says that the plan is good and tells the person to go on with it today."


def keyed(*texts: str) -> dict[str, str]:
    return {key_of_words(text): text for text in texts}


def test_a_changed_word_is_found_again():
    assert changed_words(keyed(NEW, OTHER), keyed(OLD)) == {key_of_words(NEW): key_of_words(OLD)}


def test_another_criterion_is_new():
    assert changed_words(keyed(OTHER), keyed(OLD)) == {}


def test_each_is_found_once_and_the_most_alike_first():
    newer = NEW.replace("wants", "wishes")

    assert changed_words(keyed(newer, NEW), keyed(OLD)) == {key_of_words(NEW): key_of_words(OLD)}


def test_an_id_of_the_source_speaks_for_itself():
    assert changed_words({"r2": NEW}, {"r1": OLD}) == {}


def test_another_file_is_not_compared_word_by_word():
    many = keyed(*(f"{OLD} {number}" for number in range(300)))

    assert changed_words(many, {f"{key[:-1]}0": text for key, text in many.items()}) == {}
