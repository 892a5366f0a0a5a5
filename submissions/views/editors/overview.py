"""Everything that an editor sees of one submission."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from impactbench.accounts.naming import display_label
from submissions.models import Assignment, Decision, Revision, Round, Submission
from submissions.naming import Viewing
from submissions.selectors import outbox, trail
from submissions.selectors.board_rows import AUTHOR, EDITORS, REVIEWERS, Row, row_of
from submissions.selectors.changes import changes
from submissions.selectors.comments import discussion_for
from submissions.selectors.extensions import answerable_extensions
from submissions.selectors.requests import answered_requests
from submissions.selectors.reviews import reviews_for
from submissions.selectors.shown_text import shown_text
from submissions.selectors.side_by_side import side_by_side
from submissions.selectors.visible import for_editing
from submissions.services import rounds
from submissions.services.decisions import kinds_open_to, open_decision
from submissions.services.suitability import known_loads
from submissions.services.transitions import may_take
from submissions.standing import Standing
from submissions.states import Action
from submissions.views.editors.fields import key_of

_WHOSE = {EDITORS: "It is the editors’ turn", REVIEWERS: "It is the reviewers’ turn", AUTHOR: "It is the author’s turn"}


@dataclass(frozen=True, slots=True)
class Asked:
    """One assignment with the person's name, number and load."""

    assignment: Assignment
    name: str
    seat: int | None
    n_open: int
    is_unfinished: bool


def page(request: HttpRequest, submission: Submission) -> HttpResponse:
    """The page of one submission, for an editor who may handle it."""
    viewing = Viewing(request.user, submission)
    row = row_of(submission, request.user)
    revisions = list(submission.revisions.order_by("-number"))
    older, newer = _compared(request, revisions)
    context = {
        "section": "review",
        "submission": submission,
        "row": row,
        "sentence": sentence_of(row),
        "revisions": revisions,
        "older": older,
        "newer": newer,
        "changes": changes(older.text, newer.text).items if older and newer else [],
        "answered": answered_requests(submission),
        "shown": shown_text(revisions[0], Standing.EDITOR),
        "not_reviewers": revisions[0].text.not_reviewers,
        "co_authors": submission.co_authors.select_related("person"),
        "asked": _asked(viewing),
        "reviews": reviews_for(viewing),
        "side": side_by_side(submission),
        "discussion": discussion_for(viewing),
        "decision": open_decision(submission),
        "sent": submission.decisions.filter(state=Decision.State.SENT)
        .select_related("decided_by")
        .order_by("-sent_at"),
        "conflicts": submission.conflicts.select_related("person", "cleared_by"),
        "extensions": answerable_extensions(request.user).filter(submission=submission),
        "mails": outbox.mails_about(submission),
        **_trail(request, submission),
        **_may(viewing),
    }
    return render(request, "submissions/editors/overview.html", context)


def sentence_of(row: Row) -> str:
    """Whose turn it is and what comes next, in one sentence."""
    whose = _WHOSE.get(row.turn)
    if whose is None:
        return f"{row.state}{f': {row.next_step}' if row.next_step else ''}."
    return f"{whose}: {row.next_step}."


def _may(viewing: Viewing) -> dict[str, bool]:
    submission = viewing.submission
    may = partial(may_take, submission=submission, user=viewing.viewer, standing=viewing.standing)
    return {
        "may_ask": rounds.open_round_of(submission) is not None or may(Action.OPEN_ROUND),
        "may_decide": bool(kinds_open_to(submission)),
        "may_reopen": may(Action.REOPEN),
        "may_publish": may(Action.PUBLISH),
        "may_retire": may(Action.RETIRE),
        "may_reinstate": may(Action.REINSTATE),
    }


def _compared(request: HttpRequest, revisions: list[Revision]) -> tuple[Revision | None, Revision | None]:
    """The two versions that the address names, else the newest two."""
    by_number = {revision.number: revision for revision in revisions}
    newer = by_number.get(key_of(request.GET.get("to"))) or revisions[0]
    older = by_number.get(key_of(request.GET.get("from"))) or by_number.get(newer.number - 1)
    return (older, newer) if older is not None else (None, None)


def _asked(viewing: Viewing) -> list[tuple[Round, list[Asked]]]:
    submission, seats = viewing.submission, viewing.involved.seats
    rows = list(Assignment.objects.filter(round__submission=submission).select_related("person", "round"))
    loads = known_loads([row.person_id for row in rows], for_editing(viewing.viewer))
    asked: dict[Round, list[Asked]] = {round_: [] for round_ in submission.rounds.order_by("-number")}
    for row in rows:
        row.round.submission = submission
        person = row.person_id
        name = display_label(row.person)
        asked[row.round].append(Asked(row, name, seats.get(person), loads.get(person, 0), rounds.is_unfinished(row)))
    return list(asked.items())


def _trail(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    action, who = request.GET.get("action", ""), request.GET.get("who", "")
    return {
        "trail": trail.trail(submission, action=action, who=who),
        "trail_actions": trail.kinds_in(submission),
        "trail_people": [(str(key), name) for key, name in trail.people_in(submission)],
        "trail_action": action,
        "trail_who": who,
    }
