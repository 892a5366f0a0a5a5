"""Keeps ratings: each text is checked against the one the form was opened on, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Rating, Study, StudyItem, StudyRater
from evaluation.selectors.studies.disclosed import must_declare
from evaluation.services.studies.states import NotAllowed, WrongState
from evaluation.studies.kinds import KINDS
from evaluation.studies.questions import Form, cleaned, problems
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

State = Rating.State
# One save counts at most so long: a page that lies open overnight is not work.
MOST_SECONDS = 30 * 60
DONE = (State.SUBMITTED, State.SKIPPED)


class StaleRating(DomainError):
    """The rating was saved elsewhere since the form was opened; carries what is stored now."""

    def __init__(self, rating: Rating) -> None:
        super().__init__(_("This rating was changed in another window. Both texts are kept; choose what stays."))
        self.rating = rating


class UnfinishedRating(DomainError):
    """The rating is stored, but something is missing before it counts."""

    def __init__(self, rating: Rating, found: dict[str, str]) -> None:
        super().__init__(_("Your rating is saved, but something is missing."))
        self.rating = rating
        self.problems = found


class NotDeclared(DomainError):
    """The rating is stored, but something became public of which the rater has to say first what they know."""

    def __init__(self) -> None:
        super().__init__(
            _("Your answers are saved. Before they count, say what you know of what was published meanwhile.")
        )


def form_of(item: StudyItem) -> Form:
    """The questions that are asked about an item."""
    return KINDS[item.study.kind].forms[item.unit]


def why_closed(rater: StudyRater) -> str:
    """Why the rater can change nothing any more, in a sentence; '' while they can."""
    if rater.state == StudyRater.State.WITHDRAWN:
        return _("You have left this study.")
    if rater.study.state != Study.State.OPEN:
        return _("This study is closed, so ratings can no longer be changed. Thank you for yours.")
    if rater.state == StudyRater.State.FINISHED:
        return _("You have finished, and seen what was hidden, so your ratings can no longer be changed.")
    return "" if rater.state == StudyRater.State.ACCEPTED else _("You do not take part in this study.")


@transaction.atomic
def save(
    rater: StudyRater, item: StudyItem, answers: Mapping[str, object], *, version: int, seconds: int, actor: Any
) -> Rating:
    """Keep what was answered so far; `version` is the one the form was opened on, 0 for a rating not begun.

    The same answers again change nothing but the time. A submitted rating stays submitted while it is complete, and
    nothing became public of which the rater has not said what they know.
    Raises NotAllowed, WrongState, or StaleRating when another window saved in between.
    """
    _check(rater, item, actor)
    form = form_of(item)
    kept = cleaned(form, answers)
    rating = _held(rater, item)
    if rating is None:
        return Rating.objects.create(item=item, rater=rater, answers=kept, seconds=_counted(seconds))
    if rating.answers == kept:
        return _add_time(rating, seconds)
    if version != rating.version:
        raise StaleRating(rating)
    stays = rating.state == State.SUBMITTED and not problems(form, kept) and not must_declare(rater)
    rating.state = State.SUBMITTED if stays else State.DRAFT
    rating.answers, rating.version, rating.saved_at = kept, rating.version + 1, timezone.now()
    rating.seconds += _counted(seconds)
    rating.save()
    return rating


def submit(
    rater: StudyRater, item: StudyItem, answers: Mapping[str, object], *, version: int, seconds: int, actor: Any
) -> Rating:
    """Let the rating count; it is kept first, so that an unfinished one is not lost.

    Raises what `save` raises, UnfinishedRating with all that is missing, and NotDeclared.
    """
    rating = save(rater, item, answers, version=version, seconds=seconds, actor=actor)
    if found := problems(form_of(item), answers, say=_):
        raise UnfinishedRating(rating, found)
    if must_declare(rater):
        raise NotDeclared
    return _end(rating, State.SUBMITTED, "study-rating-submitted", actor)


@transaction.atomic
def skip(rater: StudyRater, item: StudyItem, *, seconds: int, actor: Any) -> Rating:
    """Leave an item out, without a reason. Raises NotAllowed or WrongState."""
    _check(rater, item, actor)
    rating = _held(rater, item) or Rating.objects.create(item=item, rater=rater)
    return _end(_add_time(rating, seconds), State.SKIPPED, "study-item-skipped", actor)


@transaction.atomic
def finish(rater: StudyRater, *, actor: Any) -> StudyRater:
    """Say that one has rated all: from here on nothing can be changed, and what was hidden may be seen.

    Raises NotAllowed, or WrongState while an item is neither rated nor skipped.
    """
    _check_person(rater, actor)
    n_done = Rating.objects.filter(rater=rater, state__in=DONE).count()
    if n_done < len(rater.order):
        raise WrongState(_left_words(len(rater.order) - n_done))
    moved = StudyRater.objects.filter(pk=rater.pk, state=StudyRater.State.ACCEPTED)
    moved.update(state=StudyRater.State.FINISHED, finished_at=timezone.now())
    rater.refresh_from_db()
    record(actor=actor, action="study-rater-finished", target=rater.study, details={"seat": rater.seat})
    return rater


def _left_words(n: int) -> str:
    return ngettext(
        "%(n)s still waits for you. Rate it or skip it first.",
        "%(n)s still wait for you. Rate them or skip them first.",
        n,
    ) % {"n": n}


@transaction.atomic
def _end(rating: Rating, state: str, action: str, actor: Any) -> Rating:
    fresh = Rating.objects.select_for_update().get(pk=rating.pk)
    if fresh.version != rating.version:
        raise StaleRating(fresh)
    if fresh.state != state:
        fresh.state = state
        fresh.submitted_at = timezone.now() if state == State.SUBMITTED else fresh.submitted_at
        fresh.save(update_fields=["state", "submitted_at"])
        details = {"seat": fresh.rater.seat, "item": fresh.item.number}
        record(actor=actor, action=action, target=fresh.item.study, details=details)
    return fresh


def _held(rater: StudyRater, item: StudyItem) -> Rating | None:
    return Rating.objects.select_for_update().filter(rater=rater, item=item).first()


def _check(rater: StudyRater, item: StudyItem, actor: Any) -> None:
    _check_person(rater, actor)
    if item.number not in rater.order or item.study_id != rater.study_id:
        raise NotAllowed(_("This is not among what you are asked to rate."))


def _check_person(rater: StudyRater, actor: Any) -> None:
    """Holds the rater's row, so that two windows wait for each other, and nothing is rated while somebody leaves."""
    if rater.user_id is None or rater.user_id != actor.pk:
        raise NotAllowed(_("A rating is given by the person who was asked, and by nobody else."))
    fresh = StudyRater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
    if reason := why_closed(fresh):
        raise WrongState(reason)


def _add_time(rating: Rating, seconds: int) -> Rating:
    if counted := _counted(seconds):
        rating.seconds += counted
        rating.save(update_fields=["seconds"])
    return rating


def _counted(seconds: int) -> int:
    return max(0, min(seconds, MOST_SECONDS))
