"""What an expert writes survives every way into the database and back."""

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from submissions.content import FIELD_NAMES, FIELDS, LONGEST_TEXT, MOST_ITEMS, Content, Demographic, Source, UserMessage
from tests.support.portal import CONTENT

TEXT = st.text(max_size=40).map(lambda text: text.replace("\x00", "").replace("\r", ""))
TEXTS = st.lists(TEXT, max_size=4).map(tuple)
CONTENTS = st.builds(
    Content,
    **{
        item.name: TEXT
        for item in fields(Content)
        if item.name
        not in {"sources", "demographics", "messages", "subareas", "questions", "examples_present", "examples_absent"}
    },
    sources=st.lists(st.builds(Source, TEXT, TEXT), max_size=3).map(tuple),
    demographics=st.lists(st.builds(Demographic, TEXT, TEXT, st.booleans()), max_size=3).map(tuple),
    messages=st.lists(st.builds(UserMessage, TEXT, TEXT), max_size=3).map(tuple),
    subareas=TEXTS,
    questions=TEXTS,
    examples_present=TEXTS,
    examples_absent=TEXTS,
)


@given(CONTENTS)
def test_content_of_any_text_comes_back_from_json_unchanged(content):
    assert Content.from_json(content.to_json()) == content


def test_content_with_every_field_filled_comes_back_unchanged():
    assert all(getattr(CONTENT, name) for name in FIELDS if name != "not_reviewers")
    assert Content.from_json(CONTENT.to_json()) == CONTENT


def test_from_json_of_nothing_is_the_empty_content():
    assert Content.from_json({}) == Content()


def test_from_json_of_the_wrong_shapes_reads_what_can_be_read():
    stored = {"title": 7, "sources": "x", "messages": ["a", {"text": "b", "turn": 2}], "subareas": None, "other": 1}

    assert Content.from_json(stored) == Content(title="7", messages=(UserMessage("b", "2"),))


def test_from_json_drops_what_no_database_holds_and_cuts_what_no_person_types():
    content = Content.from_json(
        {"title": "a\x00b\r\nc", "construct": "x" * (LONGEST_TEXT + 5), "questions": ["q"] * 99}
    )

    assert content.title == "ab\nc"
    assert len(content.construct) == LONGEST_TEXT
    assert len(content.questions) == MOST_ITEMS


def test_without_empty_lines_trims_texts_and_drops_empty_lines_in_order():
    content = Content(
        title="  A ",
        questions=("", " q ", "  "),
        sources=(Source(), Source(" r ", "")),
        demographics=(Demographic("Age", " "), Demographic("", "old", told=True)),
        messages=(UserMessage(" hi ", " 2 "), UserMessage("", "3")),
    )

    assert content.without_empty_lines() == Content(
        title="A",
        questions=("q",),
        sources=(Source("r", ""),),
        demographics=(Demographic("", "old", told=True),),
        messages=(UserMessage("hi", "2"),),
    )


def test_every_field_has_a_name_for_people_in_the_order_of_the_form():
    assert tuple(FIELD_NAMES) == FIELDS
