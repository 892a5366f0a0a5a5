"""How far raters are: one rater item by item, and all raters of a study in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from django.db.models import Count, Max, Q, Sum

from evaluation.models import Rating, Study, StudyRater
from evaluation.services.studies.rating import DONE

# Fewer ratings say nothing about how long one takes.
LEAST_FOR_PACE = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """A rater's items by place: the state of each ('' where it was never opened)."""

    states: tuple[str, ...]
    seconds: tuple[int, ...]

    @property
    def n(self) -> int:
        return len(self.states)

    @property
    def n_done(self) -> int:
        return sum(state in DONE for state in self.states)

    @property
    def reach(self) -> int:
        """The last place that may be opened: the first item that is neither rated nor skipped, else the last one."""
        return next((place for place, state in enumerate(self.states, 1) if state not in DONE), self.n)

    @property
    def is_all_done(self) -> bool:
        return self.n_done == self.n

    @property
    def minutes_left(self) -> int | None:
        """About how long the rest takes at the pace so far; None before there is a pace."""
        paced = [taken for taken in self.seconds if taken]
        if len(paced) < LEAST_FOR_PACE or self.is_all_done:
            return None
        return max(1, round(mean(paced) * (self.n - self.n_done) / 60))

    def after(self, place: int) -> int | None:
        """Where to go after this place: the next one where it was rated before, else the first open one."""
        if self.is_all_done:
            return place + 1 if place < self.n else None
        return min(place + 1, self.reach) if place < self.reach else self.reach


def progress_of(rater: StudyRater) -> Progress:
    """One rater's progress, in one question to the database."""
    rows = Rating.objects.filter(rater=rater).values_list("item__number", "state", "seconds")
    known = {number: (state, seconds) for number, state, seconds in rows}
    found = [known.get(number, ("", 0)) for number in rater.order]
    counted = tuple(seconds if state == Rating.State.SUBMITTED else 0 for state, seconds in found)
    return Progress(tuple(state for state, _ in found), counted)


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater in the table of those who run the study."""

    rater: StudyRater
    n_items: int
    n_submitted: int
    n_skipped: int
    n_drafts: int
    minutes: int
    # A datetime, or None where nothing was ever saved.
    last_saved: object


def rater_lines(study: Study) -> list[RaterLine]:
    """All who were asked, by seat."""
    counted = study.raters.annotate(
        n_submitted=_count(Rating.State.SUBMITTED),
        n_skipped=_count(Rating.State.SKIPPED),
        n_drafts=_count(Rating.State.DRAFT),
        seconds=Sum("ratings__seconds"),
        last_saved=Max("ratings__saved_at"),
    ).order_by("seat")
    return [
        RaterLine(
            rater=rater,
            n_items=len(rater.order or study.assignment.get(str(rater.plan), [])),
            n_submitted=rater.n_submitted,
            n_skipped=rater.n_skipped,
            n_drafts=rater.n_drafts,
            minutes=round((rater.seconds or 0) / 60),
            last_saved=rater.last_saved,
        )
        for rater in counted
    ]


def _count(state: str) -> Count:
    return Count("ratings", filter=Q(ratings__state=state))
