"""What a person is to one submission; of several standings the most restrictive holds."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from impactbench.accounts.models import User
from impactbench.accounts.organisations import all_addresses, verified_domains
from submissions.models import Assignment, CoAuthor, Submission
from submissions.models.reviews import OPENED
from submissions.states import EDITABLE, PRIVATE


class Standing(StrEnum):
    """Everything that a rule on access asks of a person."""

    AUTHOR = "author"
    CONFLICTED = "conflicted"
    REVIEWER = "reviewer"
    INVITED = "invited"
    EDITOR = "editor"
    NOBODY = "nobody"


def standing_of(user: Any, submission: Submission) -> Standing:
    """What `user` is to `submission` now; read from the database each time, so that a change holds at once.

    Who wrote it is its author and nothing else, whatever roles they hold. Who has opened it as a reviewer stays a
    reviewer of it for good, and never sees or decides as an editor. Conflicts shut everybody else out.
    """
    if not (user.is_authenticated and user.is_active):
        return Standing.NOBODY
    if is_author(user, submission):
        return Standing.AUTHOR
    if submission.state in PRIVATE:
        return Standing.NOBODY
    is_reviewer, is_editor = user.has_role("reviewer"), user.has_role("editor")
    if not (is_reviewer or is_editor):
        return Standing.NOBODY
    if has_conflict(user, submission):
        return Standing.CONFLICTED
    asked = Assignment.objects.filter(round__submission=submission, person=user)
    if asked.filter(OPENED).exists():
        return Standing.REVIEWER if is_reviewer else Standing.NOBODY
    if asked.filter(state=Assignment.State.INVITED).exists():
        return Standing.INVITED if is_reviewer else Standing.NOBODY
    return Standing.EDITOR if is_editor else Standing.NOBODY


def is_author(user: User, submission: Submission) -> bool:
    """Whether the user owns it or has confirmed to be a co-author."""
    if submission.owner_id == user.pk:
        return True
    return submission.co_authors.filter(person=user, state=CoAuthor.State.CONFIRMED).exists()


def has_conflict(user: User, submission: Submission) -> bool:
    """Whether something keeps the user out: said so, named, found, invited as a co-author, or the same organisation."""
    return (
        submission.conflicts.filter(person=user, cleared_at__isnull=True).exists()
        or not set(submission.author_domains).isdisjoint(verified_domains(user))
        or invited_as_co_author(user, submission)
    )


def invited_as_co_author(user: User, submission: Submission) -> bool:
    """Whether one of the user's addresses, confirmed or not, was invited to be a co-author, or the user once was one.

    Only an invitation that was taken back before anybody confirmed it says nothing.
    """
    invited = submission.co_authors.exclude(state=CoAuthor.State.REMOVED, person=None)
    return invited.filter(email__in=all_addresses(user)).exists() or invited.filter(person=user).exists()


def may_edit(user: Any, submission: Submission) -> bool:
    """Whether the user may change the text now."""
    return submission.state in EDITABLE and standing_of(user, submission) is Standing.AUTHOR
