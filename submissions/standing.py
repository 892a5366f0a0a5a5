"""What a person is to one submission; of several standings the most restrictive holds."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper

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


class Involved:
    """Everybody who has to do with one submission, and so who stands how to it.

    Each table is read when it is first needed and then kept: make a new one for each request, and after each change.
    """

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        self._standings: dict[int | None, Standing] = {}

    def standing_of(self, user: Any) -> Standing:
        """What the user is to the submission.

        Who wrote it is its author and nothing else, whatever roles they hold. Who has opened it as a reviewer stays a
        reviewer of it for good, and never sees or decides as an editor. Conflicts shut everybody else out.
        """
        if user.pk not in self._standings:
            self._standings[user.pk] = self._worked_out(user)
        return self._standings[user.pk]

    def _worked_out(self, user: Any) -> Standing:
        if not (user.is_authenticated and user.is_active):
            return Standing.NOBODY
        if self.is_author(user):
            return Standing.AUTHOR
        if self.submission.state in PRIVATE:
            return Standing.NOBODY
        is_reviewer, is_editor = user.has_role("reviewer"), user.has_role("editor")
        if not (is_reviewer or is_editor):
            return Standing.NOBODY
        if self.has_conflict(user):
            return Standing.CONFLICTED
        if user.pk in self.opened_by:
            return Standing.REVIEWER if is_reviewer else Standing.NOBODY
        if any(person == user.pk and state == Assignment.State.INVITED for person, state, _ in self._asked):
            return Standing.INVITED if is_reviewer else Standing.NOBODY
        return Standing.EDITOR if is_editor else Standing.NOBODY

    def is_author(self, user: User) -> bool:
        """Whether the user owns it or has confirmed to be a co-author."""
        if self.submission.owner_id == user.pk:
            return True
        return any(person == user.pk and state == CoAuthor.State.CONFIRMED for person, state, _ in self._co_authors)

    def has_written(self, person: Any) -> bool:
        """Whether the person is its author or was one: what they said then was not said by an editor."""
        return self.submission.owner_id == person.pk or any(one == person.pk for one, _, _ in self._co_authors)

    def has_conflict(self, user: User) -> bool:
        """Whether something keeps the user out: said, found, once a co-author, or the same organisation."""
        domains = set(self.submission.author_domains)
        return (
            user.pk in self._conflicts
            or bool(domains and not domains.isdisjoint(verified_domains(user)))
            or self.invited_as_co_author(user)
        )

    def invited_as_co_author(self, user: User) -> bool:
        """Whether one of the user's addresses, confirmed or not, was invited to be a co-author, or the user once was.

        Only an invitation that was taken back before anybody confirmed it says nothing.
        """
        invited = [row for row in self._co_authors if row[1] != CoAuthor.State.REMOVED or row[0] is not None]
        if any(person == user.pk for person, _, _ in invited):
            return True
        return bool(invited) and not {address for _, _, address in invited}.isdisjoint(all_addresses(user))

    @cached_property
    def opened_by(self) -> frozenset[int]:
        """The keys of those who have opened it as a reviewer, in whatever round."""
        return frozenset(person for person, _, is_opened in self._asked if is_opened)

    @cached_property
    def seats(self) -> dict[int, int]:
        """The number under which each person reviews it, by their keys."""
        return dict(self.submission.seats.values_list("person", "number"))

    @cached_property
    def _co_authors(self) -> list[tuple[int | None, str, str]]:
        return list(self.submission.co_authors.values_list("person", "state", "email"))

    @cached_property
    def _conflicts(self) -> frozenset[int | None]:
        return frozenset(self.submission.conflicts.filter(cleared_at__isnull=True).values_list("person", flat=True))

    @cached_property
    def _asked(self) -> list[tuple[int, str, bool]]:
        asked = Assignment.objects.filter(round__submission=self.submission)
        opened = asked.annotate(is_opened=ExpressionWrapper(OPENED, output_field=BooleanField()))
        return list(opened.values_list("person", "state", "is_opened"))


def standing_of(user: Any, submission: Submission) -> Standing:
    """What `user` is to `submission` now; read from the database each time, so that a change holds at once."""
    return Involved(submission).standing_of(user)


def may_edit(user: Any, submission: Submission) -> bool:
    """Whether the user may change the text now."""
    return submission.state in EDITABLE and standing_of(user, submission) is Standing.AUTHOR
