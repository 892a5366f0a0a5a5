"""The same thing for several submissions: a page that says what will happen, and the one that did it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from submissions.models import Decision
from submissions.selectors.board_rows import Row, rows_of
from submissions.services import bulk, rounds
from submissions.services.bulk import ASSIGN, DRAFT, NAMES, Effect
from submissions.views.editors.access import need_editor
from submissions.views.editors.fields import end_of_day

MOST = 100


@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """What would happen to each of the selected; nothing has happened yet."""
    need_editor(request)
    what, names = request.POST.get("a", ""), request.POST.getlist("s")[:MOST]
    if what not in NAMES:
        raise Http404
    rows = rows_of(names, request.user)
    if what == ASSIGN and len(rows) == 1:
        return redirect("submissions:review-reviewers", rows[0].submission.public_id)
    kind = request.POST.get("kind", Decision.Kind.REQUEST_CHANGES)
    kind = kind if kind in Decision.Kind.values else Decision.Kind.REQUEST_CHANGES
    effects = bulk.preview(what, rows, actor=request.user, kind=kind)
    return render(request, "submissions/editors/bulk.html", _context(what, kind, effects, len(set(names)) - len(rows)))


@require_POST
def perform(request: HttpRequest) -> HttpResponse:
    """Do what the preview said, each by itself; what could not be done is listed with the reason."""
    need_editor(request)
    what, kind = request.POST.get("a", ""), request.POST.get("kind", "")
    if what not in NAMES or (what == DRAFT and kind not in Decision.Kind.values):
        raise Http404
    chosen = _chosen(request.POST.getlist("s")[:MOST])
    rows = rows_of(chosen, request.user)
    done = [_perform(request, what, kind, row, chosen[row.submission.public_id]) for row in rows]
    context = {**_context(what, kind, done, len(chosen) - len(rows)), "is_done": True}
    return render(request, "submissions/editors/bulk.html", context)


def _perform(request: HttpRequest, what: str, kind: str, row: Row, people: list[int]) -> Effect:
    if what == ASSIGN:
        usual_answer, usual_due = rounds.usual_dates(row.submission)
        answer_by = end_of_day(request.POST.get("answer_by")) or usual_answer
        due_at = end_of_day(request.POST.get("due_at")) or usual_due
        return bulk.assign(row, people, actor=request.user, answer_by=answer_by, due_at=due_at)
    if what == DRAFT:
        return bulk.draft(row, kind, actor=request.user)
    return bulk.remind(row, actor=request.user)


def _chosen(keys: list[str]) -> dict[str, list[int]]:
    """{public id: keys of people} from lines such as 'S-2K7QXM:4:7'; what is no number is left out."""
    found: dict[str, list[int]] = {}
    for key in keys:
        name, *people = key.split(":")
        found[name] = [int(one) for one in people if one.isascii() and one.isdigit() and len(one) < 10]
    return found


def _context(what: str, kind: str, effects: list[Effect], n_missing: int) -> dict[str, Any]:
    will = [effect for effect in effects if effect.happens]
    dates = [rounds.usual_dates(effect.submission) for effect in will] if what == ASSIGN else []
    return {
        "section": "review",
        "tab": "all",
        "what": what,
        "name": NAMES[what],
        "kind": kind,
        "kinds": Decision.Kind.choices,
        "will": will,
        "will_not": [effect for effect in effects if not effect.happens],
        "n_missing": n_missing,
        "dates": max(dates, default=None),
    }
