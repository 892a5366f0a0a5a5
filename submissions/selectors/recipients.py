"""Who is written to about a submission: the same people who may know of it, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from impactbench.accounts.models import User
from submissions.models import Assignment, CoAuthor, Submission
from submissions.models.reviews import OPENED
from submissions.standing import Standing, standing_of


def editors_of(submission: Submission) -> list[User]:
    """The editors who may handle it: not its authors, its reviewers, or those with a conflict."""
    return _with_standing(User.objects.filter(role_grants__role="editor", is_active=True), submission, Standing.EDITOR)


def authors_of(submission: Submission) -> list[User]:
    """Its owner, then the co-authors who have confirmed it, in their order."""
    confirmed = CoAuthor.objects.filter(submission=submission, state=CoAuthor.State.CONFIRMED, person__isnull=False)
    keys = [submission.owner_id, *confirmed.values_list("person", flat=True)]
    people = sorted(User.objects.filter(pk__in=keys), key=lambda person: keys.index(person.pk))
    return _with_standing(people, submission, Standing.AUTHOR)


def reviewers_at_work(submission: Submission) -> list[User]:
    """Those who review it in its newest round, with the review sent or not."""
    newest = submission.rounds.order_by("-number").first()
    at_work = (Assignment.State.ACCEPTED, Assignment.State.DONE)
    people = User.objects.filter(assignments__round=newest, assignments__state__in=at_work)
    return _with_standing(people, submission, Standing.REVIEWER)


def reviewers_with_access(submission: Submission) -> list[User]:
    """Those who have opened it and may still read it, in whatever round."""
    opened = Assignment.objects.filter(OPENED, round__submission=submission)
    people = User.objects.filter(pk__in=opened.values("person")).order_by("pk")
    return _with_standing(people, submission, Standing.REVIEWER)


def _with_standing(people: Iterable[Any], submission: Submission, standing: Standing) -> list[User]:
    return [person for person in people if standing_of(person, submission) is standing]
