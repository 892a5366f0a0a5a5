"""The ratings and the items of a study as tables, for its analysis and its exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from evaluation.models import Conversation, Judgment, Rating, Study, StudyItem, Verdict
from evaluation.statistics.pass_rates import majority, outcome

RATING_COLUMNS = ("item", "rater", "unit", "question", "value", "seconds")
ITEM_COLUMNS = (
    "item", "unit", "benchmark", "metric", "polarity", "profile", "target", "scenario", "conversation",
    "judged_present", "judged_passed",
)  # fmt: skip


def ratings_frame(study: Study, *, released: bool = False) -> pd.DataFrame:
    """One row for each answer of a submitted rating; lists (several answers, turns) stay lists.

    `released` leaves only those of raters who agreed that single ratings are published.
    """
    table = pd.DataFrame(_answers(submitted(study, released=released)), columns=RATING_COLUMNS)
    return table.astype({"item": "int64", "seconds": "int64"})


def submitted(study: Study, *, released: bool = False) -> list[Rating]:
    """The ratings that count, by item and seat, with their items and raters."""
    ratings = Rating.objects.filter(item__study=study, state=Rating.State.SUBMITTED)
    if released:
        ratings = ratings.filter(rater__consents_to_release=True)
    found = list(ratings.select_related("item", "rater").order_by("item__number", "rater__seat"))
    for rating in found:
        # Not fetched with each rating: it has the whole analysis.
        rating.item.study = study
    return found


def items_frame(study: Study) -> pd.DataFrame:
    """One row for each item, with the judge's verdict on it where it has one."""
    items = items_with_names(study)
    verdicts = verdicts_of(study, items)
    table = pd.DataFrame((_item_row(item, verdicts.get(item.number)) for item in items), columns=ITEM_COLUMNS)
    return table.astype({"item": "int64", "judged_present": "boolean", "judged_passed": "boolean"})


def items_with_names(study: Study) -> list[StudyItem]:
    """The items by number, with all that names them."""
    # Not "study": each item would bring the whole analysis along, and they all know the study they are of.
    related = ("metric_version__metric__benchmark", "scenario__profile", "conversation", "target", "judgment")
    return list(study.items.select_related(*related).order_by("number"))


def verdicts_of(study: Study, items: Iterable[StudyItem]) -> dict[int, bool | None]:
    """Whether the judge found the behaviour, by the item's number: as the release has it, else the majority of judges.

    An item that shows a judgment has that one.
    """
    items = list(items)
    conversations = [item.conversation_id for item in items if item.conversation_id is not None]
    if study.release_id is not None:
        rows = Verdict.objects.filter(release=study.release_id, conversation__in=conversations)
        found: dict[int, bool | None] = dict(rows.values_list("conversation_id", "present"))
    else:
        found = _majorities(conversations)
    return {
        item.number: item.judgment.present if item.judgment is not None else found.get(item.conversation_id)
        for item in items
        if item.conversation_id is not None
    }


def _majorities(conversations: list[int]) -> dict[int, bool | None]:
    votes: dict[int, list[bool | None]] = {}
    judged = Judgment.objects.filter(conversation__in=conversations).exclude(
        conversation__state=Conversation.State.EXTRA
    )
    for conversation, present in judged.order_by("conversation_id").values_list("conversation_id", "present"):
        votes.setdefault(conversation, []).append(present)
    return {conversation: majority(cast, [])[0] for conversation, cast in votes.items()}


def _answers(ratings: Iterable[Rating]) -> Iterator[tuple[Any, ...]]:
    for rating in ratings:
        for question, value in sorted(rating.answers.items()):
            yield rating.item.number, rating.rater.pseudonym, rating.item.unit, question, value, rating.seconds


def _item_row(item: StudyItem, present: bool | None) -> tuple[Any, ...]:
    version = item.metric_version
    return (
        item.number,
        item.unit,
        version.metric.benchmark.slug,
        version.metric.slug,
        version.polarity,
        item.scenario.profile.slug if item.scenario else None,
        item.target.slug if item.target else None,
        str(item.scenario_id) if item.scenario_id else None,
        item.conversation.public_id if item.conversation else None,
        present,
        outcome(present, version.polarity),
    )
