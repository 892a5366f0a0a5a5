"""The one way to name a person in the portal: who may know whom is decided here and nowhere else."""

from __future__ import annotations

from typing import Any

from impactbench.accounts.naming import display_label
from submissions.models import Assignment, Call, Seat, Submission
from submissions.models.reviews import OPENED
from submissions.standing import Standing, is_author, standing_of


def display_name(person: Any, viewer: Any, submission: Submission) -> str:
    """How `person` is called on a page, in a mail or in a file that `viewer` reads about `submission`.

    Editors see names. Authors and reviewers see each other as "The author" and "Reviewer 2" (in a single-blind call
    reviewers see the author's name), and the editors as "An editor".
    """
    if person is None:
        return "ImpactBench"
    if person == viewer:
        return "You"
    standing = standing_of(viewer, submission)
    if standing is Standing.EDITOR:
        return display_label(person)
    if _has_written(person, submission):
        return _author(person, standing, submission)
    return _seat_or_editor(person, submission)


def pseudonym(person: Any, submission: Submission) -> str:
    """How the person is called where the reader may be anyone, as in a letter."""
    if _has_written(person, submission):
        return "The author"
    return _seat_or_editor(person, submission)


def seat_number(person: Any, submission: Submission) -> int | None:
    """The number under which the person reviews this submission; None when they do not."""
    return Seat.objects.filter(submission=submission, person=person).values_list("number", flat=True).first()


def sees_author(standing: Standing, submission: Submission) -> bool:
    """Whether somebody of that standing may know who wrote it."""
    if standing in (Standing.AUTHOR, Standing.EDITOR):
        return True
    call = submission.call
    return standing is Standing.REVIEWER and call is not None and call.blinding == Call.Blinding.SINGLE


def _has_written(person: Any, submission: Submission) -> bool:
    """Whether the person is its author or was one: what they said then was not said by an editor."""
    return is_author(person, submission) or submission.co_authors.filter(person=person).exists()


def _seat_or_editor(person: Any, submission: Submission) -> str:
    """An editor who was asked to review and declined has a seat, and speaks as an editor all the same."""
    asked = Assignment.objects.filter(round__submission=submission, person=person)
    seat = seat_number(person, submission) if asked.filter(OPENED).exists() else None
    return f"Reviewer {seat}" if seat is not None else "An editor"


def _author(person: Any, standing: Standing, submission: Submission) -> str:
    return display_label(person) if sees_author(standing, submission) else "The author"
