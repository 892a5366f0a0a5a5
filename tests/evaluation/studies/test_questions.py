"""Forms say what is missing, and keep what can be kept."""

import ast
import inspect

import pytest

from evaluation.studies import forms
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Form, Option, Question, QuestionKind, cleaned, problems


def test_a_whole_form_has_no_problems() -> None:
    assert problems(forms.SCENARIO, {"quality": "3"}) == {}
    assert (
        problems(
            forms.CONVERSATION,
            {
                "plausible": "yes",
                "tests_metric": "no",
                "outcome": "borderline",
                "confidence": 2,
                "why": "Turn 2.",
                "turns": ["2", "1"],
                "difficulty": "none",
            },
        )
        == {}
    )


def test_a_low_mark_asks_for_reason_and_improvement() -> None:
    assert problems(forms.SCENARIO, {"quality": 2, "reason": " "}) == {
        "reason": "Write at least a few words.",
        "improvement": "Write at least a few words.",
    }
    assert problems(forms.SCENARIO, {"quality": 2, "reason": "a", "improvement": "b"}) == {}


def test_a_choice_of_other_asks_what_it_was() -> None:
    answers = {"influences": ["tone", "other"], "difficulty": "other"}

    found = problems(forms.CONVERSATION, answers)

    assert {"influence_words", "difficulty_words"} <= set(found)


@pytest.mark.parametrize("given", ["5", 0, True, 2.0, "two", ["2"], {"2": 1}])
def test_an_impossible_mark_is_refused_and_not_kept(given: object) -> None:
    assert cleaned(forms.SCENARIO, {"quality": given}) == {}
    assert problems(forms.SCENARIO, {"quality": given}) == {"quality": "Choose one of the numbers shown."}


def test_a_text_that_is_too_long_is_kept_and_refused() -> None:
    form = Form("f", "F", (Question("words", "?", QuestionKind.TEXT, most_letters=3),))

    assert cleaned(form, {"words": "four"}) == {"words": "four"}
    assert problems(form, {"words": "four"}) == {"words": "Shorten this to 3 letters; it has 4."}


def test_answers_are_kept_in_their_types_and_order() -> None:
    options = (Option("b", "B"), Option("a", "A"))
    form = Form(
        "f",
        "F",
        (
            Question("several", "?", QuestionKind.SEVERAL, options),
            Question("turns", "?", QuestionKind.TURNS),
            Question("scale", "?", QuestionKind.SCALE, (Option("1", "one"), Option("10", "ten"))),
        ),
    )

    assert cleaned(form, {"several": ["b", "a", "b"], "turns": ["10", 2, "x", True], "scale": "10", "stranger": 1}) == {
        "several": ["a", "b"],
        "turns": [2, 10],
        "scale": 10,
    }
    assert problems(form, {"several": ["c"], "turns": ["0"], "scale": ""}) == {
        "several": "Choose only answers that are shown.",
        "turns": "Tick only turns of this conversation.",
        "scale": "Choose a number.",
    }


def test_an_answer_not_asked_for_is_welcome() -> None:
    assert cleaned(forms.SCENARIO, {"quality": 4, "reason": "None."}) == {"quality": 4, "reason": "None."}


def test_every_form_names_each_question_once_and_asks_after_existing_ones() -> None:
    for kind in KINDS.values():
        assert kind.by_people == bool(kind.forms)
        for form in kind.forms.values():
            keys = [question.key for question in form.questions]
            assert len(keys) == len(set(keys))
            for question in form.questions:
                key, values = question.asked_when or (keys[0], ())
                asked = next(other for other in form.questions if other.key == key)
                assert set(values) <= {option.value for option in asked.options}


def test_every_word_of_a_form_is_marked_for_translators() -> None:
    nodes = ast.walk(ast.parse(inspect.getsource(forms)))
    calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_"]
    marked = {arg.value for call in calls for arg in call.args if isinstance(arg, ast.Constant)}
    asked = [form for kind in KINDS.values() for form in kind.forms.values()]
    questions = [question for form in asked for question in form.questions]
    options = [option.words for question in questions for option in question.options]

    said = {form.title for form in asked} | {one.words for one in questions} | {one.help for one in questions}

    assert (said | set(options)) - {""} - marked == set()
