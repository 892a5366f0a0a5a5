"""What a rater may see after the last item: the models behind the letters, and the judge's verdict."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Judgment, Rating, Study, StudyItem, StudyRater
from evaluation.selectors.studies.answer_words import answer_in_words, main_question
from evaluation.selectors.studies.elsewhere import HIDDEN, still_blind_in
from evaluation.selectors.studies.frames import verdicts_of
from evaluation.selectors.studies.orders import items_of, letters_of
from evaluation.services.studies.rating import form_of
from evaluation.statistics.pass_rates import outcome
from evaluation.studies.kinds import KINDS, METRIC


@dataclass(frozen=True, slots=True)
class RevealedItem:
    """One conversation after the end: which model it was, and what the judge and the rater said."""

    place: int
    item: StudyItem
    letter: str
    model: str
    # None where there was no verdict, or where the study hid none.
    judged_present: bool | None
    judged_passed: bool | None
    justification: str
    own: str


def is_open_to(rater: StudyRater) -> bool:
    """Whether something was hidden, and may be seen now: the rater can change nothing any more, here or elsewhere."""
    return has_ended(rater) and not still_blind_in(rater)


def has_ended(rater: StudyRater) -> bool:
    """Whether something was hidden here, and the rater can change no rating of this study any more."""
    is_over = rater.state == StudyRater.State.FINISHED or rater.study.state == Study.State.PUBLISHED
    return bool(KINDS[rater.study.kind].hides & HIDDEN) and is_over and rater.state != StudyRater.State.WITHDRAWN


def revealed_items(rater: StudyRater) -> list[RevealedItem]:
    """The rater's own items in their order, without the forms about metrics."""
    items = items_of(rater.study, rater)
    letters = letters_of(rater.study, rater, items)
    verdicts = verdicts_of(rater.study, items)
    ratings = {rating.item_id: rating for rating in Rating.objects.filter(rater=rater)}
    reasons = _justifications(items)
    return [
        _revealed(
            place,
            item,
            letters.get(item.number, ""),
            verdicts.get(item.number),
            reasons.get(item.conversation_id, ""),
            ratings.get(item.pk),
        )
        for place, item in enumerate(items, 1)
        if item.unit != METRIC
    ]


def _revealed(
    place: int, item: StudyItem, letter: str, present: bool | None, justification: str, rating: Rating | None
) -> RevealedItem:
    return RevealedItem(
        place=place,
        item=item,
        letter=letter,
        model=item.target.name if item.target else "",
        judged_present=present,
        judged_passed=outcome(present, item.metric_version.polarity),
        justification=item.judgment.justification if item.judgment else justification,
        own=_own(item, rating),
    )


def _justifications(items: list[StudyItem]) -> dict[int | None, str]:
    """What the first judge with a verdict wrote of each conversation."""
    shown = [item.conversation_id for item in items if item.conversation_id is not None]
    rows = Judgment.objects.filter(conversation__in=shown, present__isnull=False).order_by("-pk")
    return dict(rows.values_list("conversation_id", "justification"))


def _own(item: StudyItem, rating: Rating | None) -> str:
    """The rater's answer to the question that the form turns on."""
    if rating is None or rating.state == Rating.State.SKIPPED:
        return "Skipped" if rating else ""
    question = main_question(form_of(item))
    return answer_in_words(question, rating.answers.get(question.key))
