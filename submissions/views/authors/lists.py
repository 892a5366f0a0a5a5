"""My submissions: what waits for me, what is with others, what is finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Submission
from submissions.selectors.turns import Group, Turn, number_word, turn_of
from submissions.selectors.visible import written_by
from submissions.services.calls import open_calls
from submissions.services.transitions import may_take
from submissions.states import Action, State
from submissions.views.authors.access import for_people

HEADINGS = {Group.YOU: "Your turn", Group.OTHERS: "With others", Group.DONE: "Finished"}
# From so many on, filters help more than they are in the way.
MANY = 8
_FILTERS = ("", "you", "others", "done")


@dataclass(frozen=True, slots=True)
class Item:
    """A submission with its turn, and what can be done with it here."""

    submission: Submission
    turn: Turn
    may_discard: bool
    may_restore: bool
    may_withdraw: bool
    may_renew: bool
    is_finished: bool
    has_letter: bool


@for_people("GET", "HEAD")
def submissions(request: HttpRequest) -> HttpResponse:
    """The three groups, newest first in each; `?show=` and `?q=` narrow them."""
    rows = written_by(request.user).select_related("owner", "call").order_by("-saved_at", "-pk")
    items = [_item(row, request.user) for row in rows]
    show, words = _asked(request)
    shown = [item for item in items if _fits(item, words)]
    groups = [
        (group, HEADINGS[group], [item for item in shown if item.turn.group is group])
        for group in Group
        if show in ("", group.value)
    ]
    context = {
        "section": "submissions",
        "groups": groups,
        "lede": _lede(items),
        "is_empty": not items,
        "has_filters": len(items) >= MANY or bool(show or words),
        "show": show,
        "q": words,
        "headings": [(group.value, HEADINGS[group]) for group in Group],
        "calls": open_calls(),
    }
    return render(request, "submissions/authors/submissions.html", context)


def _item(submission: Submission, user: Any) -> Item:
    turn = turn_of(submission)
    decided = (State.CHANGES_REQUESTED, State.APPROVED, State.REJECTED)
    return Item(
        submission=submission,
        turn=turn,
        may_discard=may_take(Action.DISCARD, submission, user),
        may_restore=may_take(Action.RESTORE, submission, user),
        may_withdraw=may_take(Action.WITHDRAW, submission, user),
        may_renew=submission.state == State.PUBLISHED,
        is_finished=turn.group is Group.DONE and submission.state != State.DISCARDED,
        has_letter=submission.state in decided,
    )


def _asked(request: HttpRequest) -> tuple[str, str]:
    show = request.GET.get("show", "")
    return (show if show in _FILTERS else ""), request.GET.get("q", "").replace("\x00", "").strip()[:200]


def _fits(item: Item, words: str) -> bool:
    """Whether every word stands in the title or, when it is no single sign that chance put there, in the identifier."""
    title, identifier = item.submission.title.casefold(), item.submission.public_id.casefold()
    return all(word in title or (len(word) >= 3 and word in identifier) for word in words.casefold().split())


def _lede(items: list[Item]) -> str:
    counts = {group: sum(item.turn.group is group for item in items) for group in Group}
    parts = []
    if counts[Group.YOU]:
        parts.append(f"{number_word(counts[Group.YOU])} need{'s' if counts[Group.YOU] == 1 else ''} you.")
    if counts[Group.OTHERS]:
        parts.append(f"{number_word(counts[Group.OTHERS])} {_is(counts[Group.OTHERS])} with others.")
    if counts[Group.DONE]:
        parts.append(f"{number_word(counts[Group.DONE])} {_is(counts[Group.DONE])} finished.")
    return " ".join(parts)


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
