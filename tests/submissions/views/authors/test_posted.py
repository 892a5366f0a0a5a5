"""Every field of the form comes back as it was posted."""

from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from submissions.content import FIELDS, LONGEST_TEXT, MOST_ITEMS, Content, Demographic, Source, UserMessage
from submissions.views.authors import posted
from tests.support.portal import CONTENT

ODD = "  first\n\nlast   \u202edesrever\u202c 👩🏽\u200d⚕️ e\u0301 <script>{{ x }} %s {0} & \"'  "
OTHER: dict[str, Any] = {
    "title": "Another name",
    "sources": (Source("B", ""), Source("", "10.1234/a"), Source("A", "https://a.example")),
    "subareas": ("law", "creativity"),
    "demographics": (Demographic("Work", "", told=True), Demographic("", "lives alone", told=False)),
    "messages": (UserMessage("second", "2"), UserMessage("first", "one")),
    "questions": ("Q1?", "", "Q3?"),
    "examples_present": ("b", "a"),
    "examples_absent": ("", "", "c"),
    "polarity": "positive",
    "credit": "unnamed",
    "licence": "CC0-1.0",
}


def _data(fields: dict[str, list[str]]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, values in fields.items():
        data.setlist(name, values)
    return data


def _round_trip(content: Content, before: Content = CONTENT) -> Content:
    return posted.read(_data(posted.write(content)), before)


def test_complaint_05_a_whole_submission_comes_back_with_every_list() -> None:
    assert _round_trip(CONTENT, Content()) == CONTENT


@pytest.mark.parametrize("field", FIELDS)
def test_complaint_05_each_field_comes_back_by_itself(field: str) -> None:
    content = replace(CONTENT, **{field: OTHER.get(field, ODD)})

    assert _round_trip(content) == content


@pytest.mark.parametrize("field", [name for name in FIELDS if isinstance(getattr(CONTENT, name), str)])
def test_text_comes_back_letter_for_letter(field: str) -> None:
    odd: dict[str, Any] = {field: ODD}
    content = replace(CONTENT, **odd)

    assert getattr(_round_trip(content), field) == ODD


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=60)


@given(
    st.builds(
        Content,
        title=texts,
        construct=texts,
        sources=st.lists(st.builds(Source, texts, texts), min_size=1, max_size=MOST_ITEMS).map(tuple),
        demographics=st.lists(st.builds(Demographic, texts, texts, st.booleans()), min_size=1, max_size=4).map(tuple),
        messages=st.lists(st.builds(UserMessage, texts, texts), min_size=1, max_size=MOST_ITEMS).map(tuple),
        questions=st.lists(texts, min_size=1, max_size=5).map(tuple),
        examples_present=st.lists(texts, min_size=1, max_size=5).map(tuple),
        examples_absent=st.lists(texts, min_size=1, max_size=5).map(tuple),
        subareas=st.lists(texts, max_size=5, unique=True).map(tuple),
    )
)
def test_anything_comes_back(content: Content) -> None:
    assert _round_trip(content, Content()) == content


def test_order_of_lines_is_that_of_the_numbers() -> None:
    data = _data({"message-10-text": ["ten"], "message-2-text": ["two"], "message-2-turn": ["3"]})

    assert posted.read(data, Content()).messages == (UserMessage("two", "3"), UserMessage("ten", ""))


def test_what_the_form_did_not_show_stays() -> None:
    assert posted.read(_data({"title": ["New"]}), CONTENT) == replace(CONTENT, title="New")


def test_no_box_ticked_empties_the_areas_only_when_boxes_were_shown() -> None:
    assert posted.read(_data({posted.BOXES_SHOWN: ["1"]}), CONTENT).subareas == ()
    assert posted.read(_data({}), CONTENT).subareas == CONTENT.subareas


def test_nul_goes_and_line_ends_become_one() -> None:
    data = _data({"construct": ["a\x00b\r\nc\rd"], "source-1-reference": ["\x00x"]})

    content = posted.read(data, Content())

    assert (content.construct, content.sources) == ("ab\nc\nd", (Source("x", ""),))


def test_huge_text_is_cut_and_named() -> None:
    data = _data({"definition": ["x" * (LONGEST_TEXT + 1)], "present-1-text": ["y" * 1_000_000], "title": ["short"]})

    content = posted.read(data, Content())

    assert (len(content.definition), len(content.examples_present[0])) == (LONGEST_TEXT, LONGEST_TEXT)
    assert posted.cut_fields(data) == ["The behaviour", "Examples, present"]


def test_more_lines_than_are_kept_are_named() -> None:
    data = _data({f"source-{number}-reference": [str(number)] for number in range(1, 31)})

    assert len(posted.read(data, Content()).sources) == MOST_ITEMS
    assert posted.full_list(data) == "Sources"


@pytest.mark.parametrize("name", list(posted.LISTS))
def test_lines_are_added_at_the_end(name: str) -> None:
    lines = posted.LISTS[name]

    content, place = posted.with_line_action(CONTENT, f"add-{lines.word}")

    before = getattr(CONTENT, name)
    assert getattr(content, name) == (*before, lines.empty)
    assert place == f"{lines.word}-{len(before) + 1}-{lines.parts[0]}"


@pytest.mark.parametrize("name", list(posted.LISTS))
def test_one_line_is_removed_and_the_others_keep_their_order(name: str) -> None:
    content, place = posted.with_line_action(CONTENT, f"remove-{posted.LISTS[name].word}-1")

    assert getattr(content, name) == getattr(CONTENT, name)[1:]
    assert place.startswith(posted.LISTS[name].word) is bool(getattr(content, name))


@pytest.mark.parametrize("action", ["save", "add-nothing", "remove-source-0", "remove-source-99", "add-source-", ""])
def test_other_actions_change_nothing(action: str) -> None:
    assert posted.with_line_action(CONTENT, action)[0] == CONTENT


def test_a_full_list_takes_no_more() -> None:
    full = replace(CONTENT, questions=("q",) * MOST_ITEMS)

    assert posted.with_line_action(full, "add-question")[0] == full
