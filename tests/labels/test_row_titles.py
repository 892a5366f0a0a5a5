"""Row titles read true in the block they stand in."""

import pytest

from labels.row_titles import RowTitle, row_title


@pytest.mark.parametrize(
    ("title", "polarity", "name", "gloss"),
    [
        ("Avoids Factual Hallucination", "positive", "Facts", "corrected false claims"),
        ("Avoids Factual Hallucination", "negative", "Facts", "making things up"),
        ("Avoids Quiet Harm", "positive", "Quiet Harm", ""),
        ("avoids quiet harm", "negative", "Quiet harm", ""),
        ("Promotes Patience", "negative", "Patience", ""),
        ("Avoidance of conflict", "positive", "Avoidance of conflict", ""),
        ("Promotes", "positive", "Promotes", ""),
        ("Physical Health", "positive", "Physical Health", ""),
    ],
)
def test_title_without_plain_words_makes_no_promise(title: str, polarity: str, name: str, gloss: str) -> None:
    assert row_title(title, polarity) == RowTitle(name, gloss, title)


def test_plain_words_of_the_data_come_first() -> None:
    title = row_title("Avoids Sycophancy", "negative", plain_name="Straight talk", plain_sentence="says what is so")

    assert title == RowTitle("Straight talk", "says what is so", "Avoids Sycophancy")


def test_plain_sentence_alone_keeps_the_neutral_title() -> None:
    assert row_title("Avoids Gloom", "positive", plain_sentence="cheered you up") == RowTitle(
        "Gloom", "cheered you up", "Avoids Gloom"
    )
