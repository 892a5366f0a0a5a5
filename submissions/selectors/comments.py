"""Which comments of a submission somebody may read, and how each says who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from submissions.models import Comment, Submission
from submissions.naming import display_name
from submissions.selectors.recipients import authors_of, reviewers_with_access
from submissions.selectors.reviews import has_sent_in_newest_round
from submissions.standing import Standing, standing_of

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


def discussion_for(
    viewer: Any, submission: Submission, *, text: str = "", chosen: str = "", problem: str = ""
) -> Discussion:
    """The discussion as the viewer may see it; the narrowest audience is chosen unless `chosen` names another."""
    standing = standing_of(viewer, submission)
    choices = choices_for(viewer, submission)
    values = [choice.value for choice in choices]
    closed = standing is Standing.REVIEWER and not has_sent_in_newest_round(viewer, submission)
    return Discussion(
        comments=comments_for(viewer, submission),
        choices=choices,
        action=_action(standing, submission),
        others_are_closed=closed,
        text=text,
        chosen=chosen if chosen in values else Audience.EDITORS.value,
        problem=problem,
    )


def comments_for(viewer: Any, submission: Submission) -> list[ShownComment]:
    """The comments that the viewer may read, oldest first; none for who takes no part in the discussion."""
    readable = _readable(viewer, submission).select_related("writer", "addressee")
    return [_shown(comment, viewer, submission) for comment in readable]


def choices_for(viewer: Any, submission: Submission) -> tuple[Choice, ...]:
    """For whom the viewer can write, narrowest first."""
    standing = standing_of(viewer, submission)
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
            *_single_readers(submission),
            Choice(Audience.REVIEWERS, "The editors and the reviewers, each once their review is in"),
            Choice(Audience.EVERYONE, "The editors, the reviewers and the author"),
        ),
    }
    return groups.get(standing, ())


def addressees(submission: Submission) -> dict[str, Any]:
    """Whom an editor can answer alone: the author, and each reviewer under their seat's number."""
    found: dict[str, Any] = {TO_AUTHOR: submission.owner}
    seats = {seat.person_id: seat.number for seat in submission.seats.all()}
    for person in reviewers_with_access(submission):
        if person.pk in seats:
            found[f"seat-{seats[person.pk]}"] = person
    return found


def _single_readers(submission: Submission) -> Iterator[Choice]:
    for key in addressees(submission):
        who = "The author" if key == TO_AUTHOR else f"Reviewer {key.removeprefix('seat-')}"
        yield Choice(key, f"{who} and the editors")


def _readable(viewer: Any, submission: Submission) -> QuerySet[Comment]:
    standing = standing_of(viewer, submission)
    comments = Comment.objects.filter(submission=submission)
    if standing is Standing.EDITOR:
        return comments
    if standing not in IN_DISCUSSION:
        return comments.none()
    theirs = Q(writer=viewer) | Q(addressee=viewer) | Q(audience=Audience.EVERYONE)
    if standing is Standing.AUTHOR:
        # An answer to the author is for all who wrote it.
        theirs |= Q(addressee__in=authors_of(submission))
    elif has_sent_in_newest_round(viewer, submission):
        theirs |= Q(audience=Audience.REVIEWERS)
    return comments.filter(theirs)


def _shown(comment: Comment, viewer: Any, submission: Submission) -> ShownComment:
    writer = display_name(comment.writer, viewer, submission)
    heading = f"{writer} to {_to(comment, viewer, submission)}"
    readers = _readers(comment, viewer, submission)
    return ShownComment(comment.pk, heading, readers, comment.text, comment.posted_at)


def _to(comment: Comment, viewer: Any, submission: Submission) -> str:
    if comment.addressee is not None:
        return _inside(display_name(comment.addressee, viewer, submission))
    is_editor = standing_of(viewer, submission) is Standing.EDITOR
    return {
        Audience.EDITORS: "the other editors" if is_editor and comment.writer == viewer else "the editors",
        Audience.REVIEWERS: "the editors and the reviewers",
        Audience.EVERYONE: "everyone in this discussion",
    }[Audience(comment.audience)]


def _readers(comment: Comment, viewer: Any, submission: Submission) -> str:
    if comment.audience == Audience.REVIEWERS:
        return "Read by the editors, and by the reviewers once their reviews are in"
    if comment.audience == Audience.EVERYONE:
        return "Read by the editors, the reviewers and the author"
    if comment.addressee is not None:
        return f"Read by {_inside(display_name(comment.addressee, viewer, submission))} and the editors"
    if comment.writer == viewer and standing_of(viewer, submission) is not Standing.EDITOR:
        return "Read by you and the editors"
    if standing_of(comment.writer, submission) is Standing.EDITOR:
        return "Read by the editors only"
    return f"Read by {_inside(display_name(comment.writer, viewer, submission))} and the editors"


def _inside(name: str) -> str:
    """A name in the middle of a sentence: 'you', 'the author', but 'Reviewer 2'."""
    return {"You": "you", "The author": "the author", "An editor": "an editor"}.get(name, name)


def _action(standing: Standing, submission: Submission) -> str:
    name = "own-comments" if standing is Standing.AUTHOR else "review-comments"
    return reverse(f"submissions:{name}", args=[submission.public_id])
