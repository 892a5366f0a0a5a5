"""Which comments of a submission somebody may read, and how each says who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from submissions.models import Comment
from submissions.naming import Viewing
from submissions.selectors.recipients import authors_of, reviewers_with_access
from submissions.selectors.reviews import has_sent_in_newest_round
from submissions.standing import Involved, Standing

Audience = Comment.Audience
IN_DISCUSSION = (Standing.AUTHOR, Standing.REVIEWER, Standing.EDITOR)
TO_AUTHOR = "author"


@dataclass(frozen=True, slots=True)
class ShownComment:
    """One comment as one reader may see it."""

    pk: int
    heading: str
    readers: str
    text: str
    posted_at: datetime


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom a comment can be for; `value` names a group, a seat or the author, never a person."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Discussion:
    """What `submissions/_discussion.html` shows: comments, the choice of readers, and what was typed so far."""

    comments: list[ShownComment]
    choices: tuple[Choice, ...]
    action: str
    others_are_closed: bool = False
    text: str = ""
    chosen: str = Audience.EDITORS.value
    problem: str = ""


def discussion_for(viewing: Viewing, *, text: str = "", chosen: str = "", problem: str = "") -> Discussion:
    """The discussion as the viewer may see it; the narrowest audience is chosen unless `chosen` names another."""
    choices = choices_for(viewing)
    values = [choice.value for choice in choices]
    is_reviewer = viewing.standing is Standing.REVIEWER
    closed = is_reviewer and not has_sent_in_newest_round(viewing.viewer, viewing.submission)
    return Discussion(
        comments=comments_for(viewing),
        choices=choices,
        action=_action(viewing),
        others_are_closed=closed,
        text=text,
        chosen=chosen if chosen in values else Audience.EDITORS.value,
        problem=problem,
    )


def comments_for(viewing: Viewing) -> list[ShownComment]:
    """The comments that the viewer may read, oldest first; none for who takes no part in the discussion."""
    readable = _readable(viewing).select_related("writer", "addressee")
    return [_shown(comment, viewing) for comment in readable]


def choices_for(viewing: Viewing) -> tuple[Choice, ...]:
    """For whom the viewer can write, narrowest first."""
    groups = {
        Standing.REVIEWER: (
            Choice(Audience.EDITORS, "The editors only"),
            Choice(Audience.REVIEWERS, "The editors and the other reviewers, each once their review is in"),
            Choice(Audience.EVERYONE, "The editors, the reviewers and the author"),
        ),
        Standing.AUTHOR: (
            Choice(Audience.EDITORS, "The editors only"),
            Choice(Audience.EVERYONE, "The editors and the reviewers"),
        ),
        Standing.EDITOR: (
            Choice(Audience.EDITORS, "The editors only"),
            *(_single_readers(viewing.involved) if viewing.standing is Standing.EDITOR else ()),
            Choice(Audience.REVIEWERS, "The editors and the reviewers, each once their review is in"),
            Choice(Audience.EVERYONE, "The editors, the reviewers and the author"),
        ),
    }
    return groups.get(viewing.standing, ())


def addressees(involved: Involved) -> dict[str, Any]:
    """Whom an editor can answer alone: the author, and each reviewer under their seat's number."""
    found: dict[str, Any] = {TO_AUTHOR: involved.submission.owner}
    for person in reviewers_with_access(involved.submission, involved):
        if person.pk in involved.seats:
            found[f"seat-{involved.seats[person.pk]}"] = person
    return found


def _single_readers(involved: Involved) -> Iterator[Choice]:
    for key in addressees(involved):
        who = "The author" if key == TO_AUTHOR else f"Reviewer {key.removeprefix('seat-')}"
        yield Choice(key, f"{who} and the editors")


def _readable(viewing: Viewing) -> QuerySet[Comment]:
    viewer, submission, standing = viewing.viewer, viewing.submission, viewing.standing
    comments = Comment.objects.filter(submission=submission)
    if standing is Standing.EDITOR:
        return comments
    if standing not in IN_DISCUSSION:
        return comments.none()
    theirs = Q(writer=viewer) | Q(addressee=viewer) | Q(audience=Audience.EVERYONE)
    if standing is Standing.AUTHOR:
        # An answer to the author is for all who wrote it.
        theirs |= Q(addressee__in=authors_of(submission, viewing.involved))
    elif has_sent_in_newest_round(viewer, submission):
        theirs |= Q(audience=Audience.REVIEWERS)
    return comments.filter(theirs)


def _shown(comment: Comment, viewing: Viewing) -> ShownComment:
    heading = f"{viewing.name_of(comment.writer)} to {_to(comment, viewing)}"
    readers = _readers(comment, viewing)
    return ShownComment(comment.pk, heading, readers, comment.text, comment.posted_at)


def _to(comment: Comment, viewing: Viewing) -> str:
    if comment.addressee is not None:
        return _inside(viewing.name_of(comment.addressee))
    is_own_of_editor = viewing.standing is Standing.EDITOR and comment.writer == viewing.viewer
    return {
        Audience.EDITORS: "the other editors" if is_own_of_editor else "the editors",
        Audience.REVIEWERS: "the editors and the reviewers",
        Audience.EVERYONE: "everyone in this discussion",
    }[Audience(comment.audience)]


def _readers(comment: Comment, viewing: Viewing) -> str:
    if comment.audience == Audience.REVIEWERS:
        return "Read by the editors, and by the reviewers once their reviews are in"
    if comment.audience == Audience.EVERYONE:
        return "Read by the editors, the reviewers and the author"
    if comment.addressee is not None:
        return f"Read by {_inside(viewing.name_of(comment.addressee))} and the editors"
    if comment.writer == viewing.viewer and viewing.standing is not Standing.EDITOR:
        return "Read by you and the editors"
    if viewing.involved.standing_of(comment.writer) is Standing.EDITOR:
        return "Read by the editors only"
    return f"Read by {_inside(viewing.name_of(comment.writer))} and the editors"


def _inside(name: str) -> str:
    """A name in the middle of a sentence: 'you', 'the author', but 'Reviewer 2'."""
    return {"You": "you", "The author": "the author", "An editor": "an editor"}.get(name, name)


def _action(viewing: Viewing) -> str:
    name = "own-comments" if viewing.standing is Standing.AUTHOR else "review-comments"
    return reverse(f"submissions:{name}", args=[viewing.submission.public_id])
