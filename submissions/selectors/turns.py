"""Whose turn it is with a submission, and what comes next, in the words of its author's pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from submissions.models import Assignment, Submission
from submissions.services.calls import window_of
from submissions.services.sending import newest_request, problems_of, requests_of, unanswered
from submissions.states import State

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six")


class Group(StrEnum):
    """The three groups of the list, in its order."""

    YOU = "you"
    OTHERS = "others"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Turn:
    """`action` is what is to be done, `rest` goes on from it; `due` belongs to the one whose turn it is."""

    group: Group
    action: str
    rest: str = ""
    due: datetime | None = None
    due_words: str = "Due"

    @property
    def sentence(self) -> str:
        return f"{self.action} {self.rest}".strip()


def turn_of(submission: Submission) -> Turn:
    """Whose turn it is now and what is to be done; it names nobody."""
    match State(submission.state):
        case State.DRAFT:
            return _draft(submission)
        case State.CHANGES_REQUESTED:
            return _requests(submission)
        case State.SUBMITTED:
            return Turn(Group.OTHERS, "An editor looks for reviewers.", "You need not do anything.")
        case State.IN_REVIEW:
            return _review(submission)
        case State.APPROVED:
            return Turn(Group.OTHERS, "Approved.", "It waits for a second editor to publish its page.")
        case State.PUBLISHED:
            return Turn(Group.DONE, "Public.", "Later changes become a new version.")
        case State.RETIRED:
            return Turn(Group.DONE, "Retired.", "Its page says so; its history stays.")
        case State.REJECTED:
            return Turn(Group.DONE, "Not accepted.", "The letter gives the reasons.")
        case State.WITHDRAWN:
            return Turn(Group.DONE, "Withdrawn.", "Write to the editors if you want it back in review.")
        case _:
            return Turn(Group.DONE, "Discarded.", "You can restore it.")


def answer_due(submission: Submission) -> datetime | None:
    """Until when the requests of the newest letter are to be answered, with the time that was granted on top."""
    decision = newest_request(submission)
    due = decision.answer_due if decision else None
    granted = submission.extensions.filter(granted_by__isnull=False, until__isnull=False).order_by("-until").first()
    if granted is not None and granted.until is not None and (due is None or granted.until > due):
        return granted.until
    return due


def number_word(number: int) -> str:
    """A small number as a word that begins a sentence."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _draft(submission: Submission) -> Turn:
    n_missing = len(problems_of(submission.draft))
    window = window_of(submission)
    if n_missing == 0:
        rest = "Everything is there."
    else:
        rest = f"{n_missing} thing{' is' if n_missing == 1 else 's are'} missing."
    if not window.is_open:
        return Turn(Group.YOU, "Its call has closed.", "The draft stays.")
    return Turn(Group.YOU, "Finish and send.", rest, window.until, "The call closes")


def _requests(submission: Submission) -> Turn:
    n_open, n_all = len(unanswered(submission)), len(requests_of(submission))
    n_done = n_all - n_open
    if n_open == 0:
        return Turn(Group.YOU, "Send it again.", "Every request is answered.", answer_due(submission))
    more = " more" if n_done else ""
    action = f"Answer {n_open}{more} request{'' if n_open == 1 else 's'},"
    done = f" {n_done} {'is' if n_done == 1 else 'are'} answered." if n_done else ""
    return Turn(Group.YOU, action, f"then send it again.{done}", answer_due(submission))


def _review(submission: Submission) -> Turn:
    reading = Assignment.objects.filter(
        round__submission=submission, round__closed_at=None, state__in=[*Assignment.READING]
    ).exclude(state=Assignment.State.HANDED_BACK)
    n_reading, n_done = reading.count(), reading.filter(state=Assignment.State.DONE).count()
    last = reading.order_by("-due_at").values_list("due_at", flat=True).first()
    if n_reading == 0:
        return Turn(Group.OTHERS, "An editor looks for reviewers.", "You need not do anything.")
    if n_done == n_reading:
        return Turn(Group.OTHERS, "The reviews are in; an editor decides.", "You need not do anything.")
    are = "reviewer is" if n_reading == 1 else "reviewers are"
    action = f"{number_word(n_reading)} {are} reading."
    return Turn(Group.OTHERS, action, "You need not do anything.", last, "Reviews are due")
