"""Answers as people read them, and the question that each form turns on."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from evaluation.studies.questions import Form, Question, QuestionKind

# Of each form one: what a table shows of a rating, and what raters can disagree about.
MAIN = ("outcome", "verdict", "realism", "realism_10", "quality", "relevance")


def main_question(form: Form) -> Question:
    """The question that the form turns on."""
    return next(question for question in form.questions if question.key in MAIN)


def answer_in_words(question: Question, value: object) -> str:
    """An answer in the words of its options; '' for none."""
    if value is None:
        return ""
    if question.kind is QuestionKind.TURNS and isinstance(value, Sequence):
        return ", ".join(_("turn %(n)s") % {"n": turn} for turn in value)
    words = {option.value: _(option.words) if option.words else "" for option in question.options}
    if question.kind is QuestionKind.SCALE:
        return f"{value}, {words[str(value)]}" if words.get(str(value)) else str(value)
    values = value if isinstance(value, list) else [value]
    return ", ".join(words.get(str(one), str(one)) for one in values)
