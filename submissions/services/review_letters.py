"""What reviewers are written: never who the author is, never who else reviews."""

from __future__ import annotations

from typing import Any

from impactbench.common.moments import when
from submissions.addresses import review_of
from submissions.models import Assignment, Submission
from submissions.services.letters import Letter, Ours, Theirs, letter

_ASKED = """Dear reviewer,

would you review “$title” ($name)?

You see a summary at
$address
and the whole text once you have said that you have no conflict. Please say yes or no until
$answer_by

The review itself would be due
$due_at
"""

_AGAIN = """Dear reviewer,

the author of “$title” ($name) has answered the requests for changes. Version $version is ready;
you reviewed the one before.

What changed stands beside the answers at
$address

Your review of this version is due
$due_at
"""

_REMINDER_ANSWER = """Dear reviewer,

you were asked to review “$title” ($name) and have not said yes or no. Both are fine; please do it at
$address
until
$answer_by
"""

_REMINDER_REVIEW = """Dear reviewer,

your review of “$title” ($name) $is_or_was due
$due_at

It waits for you at
$address
and keeps everything you have written so far. If you cannot finish it, hand it back there; nobody minds.
"""

_CANCELLED = """Dear reviewer,

you need not review “$title” ($name) any more. Thank you for being ready to.
"""

_NEW_DATES = """Dear reviewer,

there is a new date for your review of “$title” ($name). It is due
$due_at

$address
"""

_DECIDED = """Dear reviewer,

“$title” ($name) has been decided: $outcome

$thanks
$address
"""

_OUTCOMES = {
    "approve": "it is approved. An editor publishes it next.",
    "request_changes": "the author is asked for changes. We will write to you when they are made.",
    "reject": "it is not accepted.",
}


def invitation(assignment: Assignment) -> Letter:
    """Would you review this?"""
    return _about(assignment, "Would you review $name?", _ASKED)


def next_round(assignment: Assignment) -> Letter:
    """The author has answered; please look again."""
    return _about(assignment, "A new version of $name waits for your review", _AGAIN)


def reminder(assignment: Assignment, *, is_late: bool) -> Letter:
    """To say yes or no, or to send the review; no blame in it."""
    if assignment.state == Assignment.State.INVITED:
        return _about(assignment, "Will you review $name?", _REMINDER_ANSWER)
    is_or_was = Ours("was" if is_late else "is")
    return _about(assignment, f"Your review of $name {is_or_was} due", _REMINDER_REVIEW, is_or_was=is_or_was)


def cancelled(assignment: Assignment) -> Letter:
    """You need not."""
    return _about(assignment, "You need not review $name any more", _CANCELLED)


def new_dates(assignment: Assignment) -> Letter:
    """Another date."""
    return _about(assignment, "A new date for your review of $name", _NEW_DATES)


def decided(assignment: Assignment, kind: str) -> Letter:
    """A short note on what became of it, after the author has been told."""
    wrote = assignment.state == Assignment.State.DONE
    thanks = "Thank you for your review. What the author was told stands at" if wrote else "Nothing is left to do."
    values = {"outcome": Ours(_OUTCOMES[kind]), "thanks": Ours(thanks)}
    address = Ours(review_of(assignment.round.submission) if wrote else "")
    return _about(assignment, "$name has been decided", _DECIDED, address=address, **values)


def _about(assignment: Assignment, subject: str, text: str, **more: Ours) -> Letter:
    submission, person = assignment.round.submission, assignment.person
    values: dict[str, Any] = {
        "title": Theirs(title_sent(submission)),
        "name": Ours(submission.public_id),
        "version": Ours(assignment.round.revision.number),
        "address": Ours(review_of(submission)),
        "answer_by": Ours(when(assignment.answer_by, person)),
        "due_at": Ours(when(assignment.due_at, person)),
    }
    return letter(subject, text, **{**values, **more})


def title_sent(submission: Submission) -> str:
    """The title as it was sent last; never that of a draft."""
    newest = submission.revisions.order_by("-number").first()
    return newest.text.title if newest is not None else submission.public_id
