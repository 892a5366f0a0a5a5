"""Who may review a submission, and whose areas and load suit it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from impactbench.accounts.models import User
from impactbench.accounts.naming import display_label
from impactbench.accounts.organisations import all_addresses
from submissions.models import Assignment, Review, Reviewer, Submission
from submissions.selectors.visible import for_editing
from submissions.services.assignments import open_load
from submissions.standing import Involved
from submissions.states import State


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A reviewer who may be asked. `is_free` counts all they have to do; `n_open`, `days_of_last` and `free_at` only
    what the viewer may know of, so that no editor finds their own submission in somebody's load.
    """

    person: Any
    name: str
    areas: str
    n_meeting: int
    n_open: int
    most_open: int
    away_until: date | None
    days_of_last: int | None
    free_at: datetime | None
    is_free: bool


def why_not(person: Any, involved: Involved) -> str | None:
    """Why the person may not review the submission, in words that name nobody; None when they may."""
    if not (person.is_active and person.has_role("reviewer")):
        return "no reviewer"
    if involved.is_author(person) or involved.has_conflict(person) or is_named(person, involved.submission):
        return "a conflict"
    return None


def is_named(person: Any, submission: Submission) -> bool:
    """Whether the author named the person, by name or by one of their addresses, among those who should not review."""
    newest = submission.revisions.order_by("-number").first()
    texts = [submission.draft.not_reviewers, newest.text.not_reviewers if newest else ""]
    marks = [*all_addresses(person), person.name]
    return any(_says(text, mark) for text in texts for mark in marks)


def suggestions(submission: Submission, *, viewer: Any) -> list[Suggestion]:
    """Who may be asked, best first: areas that meet the submission's, then free places, then load.

    Whoever must not review it, the viewer, and who has been asked in the open round are left out without a trace.
    """
    wanted = set(_subareas(submission))
    asked = Assignment.objects.filter(round__submission=submission, round__closed_at=None)
    left_out = {viewer.pk, *asked.exclude(state=Assignment.State.CANCELLED).values_list("person", flat=True)}
    people = User.objects.filter(role_grants__role="reviewer", is_active=True).exclude(pk__in=left_out)
    people = people.select_related("reviewer").prefetch_related("reviewer__subareas__area")
    known, involved = for_editing(viewer), Involved(submission)
    free = [person for person in people if why_not(person, involved) is None]
    loads = known_loads([person.pk for person in free], known)
    found = [_suggestion(_settings_of(person), wanted, known, loads[person.pk]) for person in free]
    return sorted(found, key=lambda item: (-item.n_meeting, not item.is_free, item.n_open, item.name.casefold()))


def known_loads(people: Iterable[int], known: QuerySet[Submission]) -> Counter[int]:
    """How many open reviews each person (a key) has, of the submissions that the viewer may know of."""
    return Counter(_open_ones(known).filter(person__in=people).values_list("person", flat=True))


def _settings_of(person: User) -> Reviewer:
    """What the person reviews and how much; the defaults for somebody who never opened their settings."""
    return person.reviewer if hasattr(person, "reviewer") else Reviewer(person=person)


def _suggestion(reviewer: Reviewer, wanted: set[str], known: QuerySet[Submission], n_open: int) -> Suggestion:
    subareas, today = list(reviewer.subareas.all()) if reviewer.pk else [], timezone.now().date()
    away = reviewer.away_until if reviewer.away_until and reviewer.away_until >= today else None
    has_room = open_load(reviewer.person) < reviewer.most_open
    return Suggestion(
        person=reviewer.person,
        name=display_label(reviewer.person),
        areas=", ".join(dict.fromkeys(item.area.name for item in subareas)),
        n_meeting=len(wanted.intersection(item.slug for item in subareas)),
        n_open=n_open,
        most_open=reviewer.most_open,
        away_until=away,
        days_of_last=days_of_last_review(reviewer.person, known),
        free_at=None if has_room else _free_at(reviewer.person, known),
        is_free=has_room and away is None,
    )


def days_of_last_review(person: Any, known: QuerySet[Submission]) -> int | None:
    """How many days the person's last review took from being asked; None for a first one."""
    sent = Review.objects.filter(assignment__person=person, sent_at__isnull=False)
    sent = sent.filter(assignment__round__submission__in=known)
    last = sent.select_related("assignment").order_by("-sent_at").first()
    return max((last.sent_at - last.assignment.asked_at).days, 0) if last is not None and last.sent_at else None


def _free_at(person: Any, known: QuerySet[Submission]) -> datetime | None:
    """When the first of the open reviews is due."""
    return _open_ones(known).filter(person=person).order_by("due_at").values_list("due_at", flat=True).first()


def _open_ones(known: QuerySet[Submission]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        state=Assignment.State.ACCEPTED,
        round__closed_at=None,
        round__submission__state=State.IN_REVIEW,
        round__submission__in=known,
    )


def _subareas(submission: Submission) -> Iterable[str]:
    newest = submission.revisions.order_by("-number").first()
    return newest.text.subareas if newest is not None else ()


def _says(text: str, mark: str) -> bool:
    """Whether the mark stands in the text as words of its own."""
    words, sought = _words(text), _words(mark)
    return len(sought) > 2 and sought in words


def _words(text: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "@.-_+" else " " for letter in text.casefold())
    return f" {' '.join(word.strip('.') for word in kept.split())} "
