"""A rating form as the page shows it and as it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from evaluation.models import StudyRater
from evaluation.selectors.studies.answer_words import answer_in_words
from evaluation.studies.masking import options_order
from evaluation.studies.questions import Form, Option, Question, QuestionKind

_LISTS = (QuestionKind.SEVERAL, QuestionKind.TURNS)


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """One question with its options in the rater's order, the answer so far, and what is wrong with it."""

    number: int
    question: Question
    options: tuple[tuple[Option, bool], ...]
    text: str
    turns: frozenset[int]
    problem: str
    # "1 or 2 above": when a question that is not always asked must be answered.
    asked_words: str = ""

    @property
    def kind(self) -> str:
        return self.question.kind.value

    @property
    def is_wide(self) -> bool:
        """A scale of more steps than fit side by side with their words."""
        return len(self.options) > 4

    @property
    def ends(self) -> tuple[str, str]:
        """The words at the two ends of a wide scale."""
        return self.question.options[0].words, self.question.options[-1].words

    @property
    def asked_at(self) -> str:
        """The answers of another question at which this one is needed, for the script that folds it away."""
        return " ".join(self.question.asked_when[1]) if self.question.asked_when else ""

    @property
    def asked_by(self) -> str:
        return self.question.asked_when[0] if self.question.asked_when else ""


def shown_questions(
    form: Form, answers: Mapping[str, object], rater: StudyRater, problems: Mapping[str, str]
) -> list[ShownQuestion]:
    """Every question; the numbers leave out what is only asked at some answers."""
    shown, number = [], 0
    for question in form.questions:
        number += question.asked_when is None
        given = answers.get(question.key)
        chosen = {str(value) for value in given} if isinstance(given, list) else {str(given)}
        options = options_order(question, rater=f"rater {rater.seat}", seed=rater.study.seed)
        shown.append(
            ShownQuestion(
                number=number if question.asked_when is None else 0,
                question=question,
                options=tuple((option, given is not None and option.value in chosen) for option in options),
                text=given if isinstance(given, str) else "",
                turns=frozenset(turn for turn in given if isinstance(turn, int))
                if isinstance(given, list)
                else frozenset(),
                problem=problems.get(question.key, ""),
                asked_words=_asked_words(form, question),
            )
        )
    return shown


def _asked_words(form: Form, question: Question) -> str:
    if question.asked_when is None:
        return ""
    key, values = question.asked_when
    other = next(one for one in form.questions if one.key == key)
    is_scale = other.kind is QuestionKind.SCALE
    named = [
        option.value if is_scale else _("“%(answer)s”") % {"answer": _(option.words)}
        for option in other.options
        if option.value in values
    ]
    *others, last = named
    return _("%(all_but_last)s or %(last)s") % {"all_but_last": ", ".join(others), "last": last} if others else last


def answers_in(form: Form, posted: QueryDict) -> dict[str, object]:
    """What was sent for each question, as `evaluation.studies.questions` takes it."""
    found: dict[str, object] = {}
    for question in form.questions:
        if question.kind in _LISTS:
            found[question.key] = posted.getlist(question.key)
        elif question.key in posted:
            found[question.key] = _tidy(str(posted[question.key]))
    return found


def differences(form: Form, stored: Mapping[str, object], mine: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """(question, what is stored, what stands on this page) where the two differ, in words."""
    pairs = [(question, stored.get(question.key), mine.get(question.key)) for question in form.questions]
    return [
        (_(question.words), answer_in_words(question, there), answer_in_words(question, here))
        for question, there, here in pairs
        if there != here
    ]


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").strip()
