"""How the ratings of an item are spread, for those who decide on disagreements: pseudonyms, answers and reasons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evaluation.models import Rating, Study
from evaluation.selectors.studies.answer_words import MAIN, answer_in_words, main_question
from evaluation.selectors.studies.frames import items_frame, ratings_frame
from evaluation.services.studies.rating import form_of
from evaluation.studies.analysis.disagreements import disagreements
from evaluation.studies.analysis.groups import answers
from evaluation.studies.kinds import KINDS


@dataclass(frozen=True, slots=True)
class Said:
    """What one rater said of the item: every answer in words."""

    pseudonym: str
    main: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """All submitted ratings of one item; the counts are of the question that the form turns on."""

    counts: tuple[tuple[str, int], ...]
    said: tuple[Said, ...]


def spread_of(study: Study, *, number: int | None = None) -> dict[int, Spread]:
    """By the item's number; items without a rating are not there."""
    ratings = Rating.objects.filter(item__study=study, state=Rating.State.SUBMITTED)
    if number is not None:
        ratings = ratings.filter(item__number=number)
    of_item: dict[int, list[Rating]] = {}
    for rating in ratings.select_related("item", "rater").order_by("item__number", "rater__seat"):
        # Not fetched with each rating: it has the whole analysis.
        rating.item.study = study
        of_item.setdefault(rating.item.number, []).append(rating)
    return {at: _spread(found) for at, found in of_item.items()}


def disagreed(study: Study) -> dict[int, list[str]]:
    """Why each item waits for a decision, by its number: the rule is that of the analysis."""
    rows = answers(ratings_frame(study), items_frame(study))
    found: dict[int, list[str]] = {}
    for form in KINDS[study.kind].forms.values():
        for question in (one for one in form.questions if one.key in MAIN):
            for one in disagreements(rows, question):
                found.setdefault(one.item, []).append(one.why)
    return found


def _spread(ratings: list[Rating]) -> Spread:
    form = form_of(ratings[0].item)
    main = main_question(form)
    said = tuple(
        Said(
            rating.rater.pseudonym,
            answer_in_words(main, rating.answers.get(main.key)),
            tuple(
                (question.words, answer_in_words(question, rating.answers[question.key]))
                for question in form.questions
                if question.key in rating.answers
            ),
        )
        for rating in ratings
    )
    return Spread(tuple(sorted(Counter(one.main for one in said if one.main).items())), said)
