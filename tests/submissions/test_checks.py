"""What keeps a submission from being sent, all at once and in the order of the form."""

from dataclasses import replace

import pytest

from submissions.checks import Problem, problems
from submissions.content import LONGEST_TEXT, Content, Demographic, Source, UserMessage
from tests.support.portal import CONTENT

KNOWN = {"agency-purpose", "creativity", "law", "physical-health"}


def found(content: Content) -> list[tuple[str, int | None]]:
    return [(problem.field, problem.number) for problem in problems(content, known_subareas=KNOWN)]


def test_problems_of_a_complete_submission_are_none():
    assert problems(CONTENT, known_subareas=KNOWN) == []


def test_problems_of_an_empty_form_name_every_field_that_is_needed_once():
    assert found(Content()) == [
        ("title", None), ("construct", None), ("sources", 1), ("relevance", None), ("subareas", None),
        ("messages", 1), ("definition", None), ("polarity", None), ("questions", 1), ("hard_cases", None),
        ("examples_present", 1), ("examples_absent", 1), ("credit", None), ("licence", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"title": "x" * 201}, ("title", None)),
        ({"sources": (Source("", "10.5555/x"),)}, ("sources", 1)),
        ({"subareas": ("nowhere",)}, ("subareas", None)),
        ({"subareas": tuple(sorted(KNOWN))}, ("subareas", None)),
        ({"messages": (UserMessage("hi", "7"),)}, ("messages", 1)),
        ({"messages": (UserMessage("hi", "1"), UserMessage("ho", "two"))}, ("messages", 2)),
        ({"demographics": (Demographic("", "54"),)}, ("demographics", 1)),
        ({"polarity": "bad"}, ("polarity", None)),
        ({"examples_absent": ("only one", " ")}, ("examples_absent", 2)),
        ({"known": "x" * LONGEST_TEXT}, ("known", None)),
        ({"licence": "mine"}, ("licence", None)),
    ],
)
def test_problems_of_one_wrong_field_name_that_field(change, expected):
    assert expected in found(replace(CONTENT, **change))
    assert {field for field, _ in found(replace(CONTENT, **change))} == {expected[0]}


def test_problems_say_what_to_do():
    (problem,) = problems(replace(CONTENT, examples_present=("one",)), known_subareas=KNOWN)

    assert problem == Problem(
        "examples_present", "Give 2 examples of replies in which the behaviour is there; 1 so far.", 2
    )
