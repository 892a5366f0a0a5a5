"""Who is written to about a submission: the same people who may know of it, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from impactbench.accounts.models import User
from submissions.models import Assignment, CoAuthor, Submission
from submissions.standing import Involved, Standing


def editors_of(submission: Submission) -> list[User]:
    """The editors who may handle it: not its authors, its reviewers, or those with a conflict."""
    editors = User.objects.filter(role_grants__role="editor", is_active=True)
    return _with_standing(editors, Involved(submission), Standing.EDITOR)


def authors_of(submission: Submission, involved: Involved | None = None) -> list[User]:
    """Its owner, then the co-authors who have confirmed it, in their order."""
    confirmed = CoAuthor.objects.filter(submission=submission, state=CoAuthor.State.CONFIRMED, person__isnull=False)
    keys = [submission.owner_id, *confirmed.values_list("person", flat=True)]
    people = sorted(User.objects.filter(pk__in=keys), key=lambda person: keys.index(person.pk))
    return _with_standing(people, involved or Involved(submission), Standing.AUTHOR)


def reviewers_at_work(submission: Submission) -> list[User]:
    """Those who review it in its newest round, with the review sent or not."""
    newest = submission.rounds.order_by("-number").first()
    at_work = (Assignment.State.ACCEPTED, Assignment.State.DONE)
    people = User.objects.filter(assignments__round=newest, assignments__state__in=at_work)
    return _with_standing(people, Involved(submission), Standing.REVIEWER)


def reviewers_with_access(submission: Submission, involved: Involved | None = None) -> list[User]:
    """Those who have opened it and may still read it, in whatever round."""
    known = involved or Involved(submission)
    people = User.objects.filter(pk__in=known.opened_by).order_by("pk")
    return _with_standing(people, known, Standing.REVIEWER)


def _with_standing(people: Iterable[Any], involved: Involved, standing: Standing) -> list[User]:
    return [person for person in people if involved.standing_of(person) is standing]
