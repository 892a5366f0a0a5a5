"""The one way to name a person in the portal: who may know whom is decided here and nowhere else."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from impactbench.accounts.naming import display_label
from submissions.models import Call, Submission
from submissions.standing import Involved, Standing


class Viewing:
    """One viewer before one submission, for one request: what both are to each other is worked out once.

    Every part of a page that names people is made from the same viewing, however many names it shows.
    """

    def __init__(self, viewer: Any, submission: Submission, involved: Involved | None = None) -> None:
        self.viewer = viewer
        self.submission = submission
        self.involved = involved or Involved(submission)

    @cached_property
    def standing(self) -> Standing:
        """What the viewer is to the submission."""
        return self.involved.standing_of(self.viewer)

    def name_of(self, person: Any) -> str:
        """How `person` is called on a page, in a mail or in a file that the viewer reads about the submission.

        Editors see names. Authors and reviewers see each other as "The author" and "Reviewer 2" (in a single-blind
        call reviewers see the author's name), and the editors as "An editor".
        """
        if person is None:
            return "ImpactBench"
        if person == self.viewer:
            return "You"
        if self.standing is Standing.EDITOR:
            return display_label(person)
        if self.involved.has_written(person) and sees_author(self.standing, self.submission):
            return display_label(person)
        return pseudonym(person, self.involved)


def display_name(person: Any, viewer: Any, submission: Submission) -> str:
    """How one person is called where the viewer reads no other name; `Viewing.name_of` says it for many."""
    return Viewing(viewer, submission).name_of(person)


def pseudonym(person: Any, involved: Involved) -> str:
    """How the person is called where the reader may be anyone, as in a letter."""
    if involved.has_written(person):
        return "The author"
    # An editor who was asked to review and declined has a seat, and speaks as an editor all the same.
    seat = involved.seats.get(person.pk) if person.pk in involved.opened_by else None
    return f"Reviewer {seat}" if seat is not None else "An editor"


def sees_author(standing: Standing, submission: Submission) -> bool:
    """Whether somebody of that standing may know who wrote it."""
    if standing in (Standing.AUTHOR, Standing.EDITOR):
        return True
    call = submission.call
    return standing is Standing.REVIEWER and call is not None and call.blinding == Call.Blinding.SINGLE
