"""What other studies have told a person, or must not tell them yet, of conversations that they rate blind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import QuerySet

from evaluation.models import Study, StudyItem, StudyRater
from evaluation.studies.kinds import JUDGE, JUDGMENT, KINDS, MODEL

State = StudyRater.State
HIDDEN = {MODEL, JUDGE}


def still_blind_in(rater: StudyRater) -> list[Study]:
    """Open studies in which this person has yet to rate one of the rater's conversations without knowing more."""
    others = StudyRater.objects.filter(user=rater.user_id, state=State.ACCEPTED, study__state=Study.State.OPEN)
    shared = _sharing(others.exclude(pk=rater.pk), _conversations(rater.study, rater.order))
    return [seat.study for seat in shared if KINDS[seat.study.kind].hides & HIDDEN]


def why_not_blind(person: Any, study: Study, numbers: Sequence[int]) -> str:
    """Why the person cannot rate these items of the study as it asks, in a sentence; '' where they can."""
    taken = (State.ACCEPTED, State.FINISHED, State.WITHDRAWN)
    others = StudyRater.objects.filter(user=person.pk, state__in=taken).exclude(study=study)
    shared = _sharing(others, _conversations(study, numbers))
    if any(_has_told(seat) & KINDS[study.kind].hides for seat in shared):
        return "Another study has shown you what is hidden here, of the same conversations. So you cannot rate them."
    waiting = [seat.study.title for seat in shared if _shows_verdicts(study) and _rates_without_verdicts(seat)]
    if waiting:
        return f"This study shows verdicts that are hidden from you in “{waiting[0]}”. Finish there, then come back."
    return ""


def _has_told(seat: StudyRater) -> set[str]:
    """What this other seat shows, or has shown, of its conversations."""
    has_ended = seat.state == State.FINISHED or seat.study.state == Study.State.PUBLISHED
    at_the_end = KINDS[seat.study.kind].hides & HIDDEN if has_ended else frozenset()
    return {*at_the_end, *([JUDGE] if _shows_verdicts(seat.study) else [])}


def _shows_verdicts(study: Study) -> bool:
    return KINDS[study.kind].unit == JUDGMENT


def _rates_without_verdicts(seat: StudyRater) -> bool:
    is_rating = seat.state == State.ACCEPTED and seat.study.state == Study.State.OPEN
    return is_rating and JUDGE in KINDS[seat.study.kind].hides


def _conversations(study: Study, numbers: Sequence[int]) -> set[int]:
    items = StudyItem.objects.filter(study=study, number__in=numbers, conversation__isnull=False)
    return set(items.values_list("conversation_id", flat=True))


def _sharing(seats: QuerySet[StudyRater], conversations: Collection[int]) -> list[StudyRater]:
    """The seats that have one of the conversations among their items."""
    found = list(seats.select_related("study").order_by("pk")) if conversations else []
    items = StudyItem.objects.filter(study__in=[seat.study_id for seat in found], conversation__in=conversations)
    shared = set(items.values_list("study_id", "number")) if found else set()
    return [seat for seat in found if any((seat.study_id, number) in shared for number in seat.order)]
