"""The board of all submissions that an editor may handle: a list, two exports, and the tab of waiting letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render

from impactbench.common.table_files import table_response
from submissions.selectors import board as selector
from submissions.selectors.board import Filters
from submissions.selectors.board_rows import Row
from submissions.selectors.extensions import waiting_extensions
from submissions.services import bulk
from submissions.states import PRIVATE, STATE_NAMES, State
from submissions.views.editors import outbox

PAGE = 50
_HEADER = ("id", "name", "kind", "areas", "author", "call", "state", "whose turn", "next", "reviews in",
           "reviews asked", "apart", "due (UTC)", "overdue")  # fmt: skip
# Links that editors use every day; each is nothing but its address.
_SAVED = (
    ("Yours", {"turn": "editors"}),
    ("Overdue", {"flag": "overdue"}),
    ("Without reviewer", {"flag": "alone"}),
    ("Reviewers far apart", {"flag": "apart", "sort": "apart"}),
    ("To publish", {"state": "approved"}),
)


def page(request: HttpRequest) -> HttpResponseBase:
    """The tab that the address names; the list can be had as CSV, workbook and JSON, exactly as it is filtered."""
    if request.GET.get("tab") == "outbox":
        return outbox.page(request)
    filters = Filters.of(request.GET)
    rows = selector.board(request.user, filters)
    kind = request.GET.get("format")
    if kind in ("csv", "xlsx"):
        about = [("Chosen by", request.GET.urlencode())]
        return table_response(kind, "submissions", _HEADER, map(_cells, rows), about=about)
    if kind == "json":
        return JsonResponse({"submissions": [dict(zip(_HEADER, _cells(row), strict=True)) for row in rows]})
    return render(request, "submissions/editors/board.html", _context(request, filters, rows))


def _context(request: HttpRequest, filters: Filters, rows: list[Row]) -> dict[str, Any]:
    areas, calls = selector.areas_and_calls()
    everything = selector.board(request.user, Filters()) if filters != Filters() else rows
    return {
        "section": "review",
        "tab": "all",
        "filters": filters,
        "is_filtered": filters != Filters(),
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "n_shown": len(rows),
        "n_all": selector.count_of(request.user),
        "n_drafts": selector.n_drafts(request.user),
        "waiting": selector.waiting_for(everything),
        "areas": areas,
        "calls": calls,
        "states": [(state.value, STATE_NAMES[state]) for state in State if state not in PRIVATE],
        "turns": selector.TURNS.items(),
        "flags": selector.FLAGS.items(),
        "sorts": selector.SORTS.items(),
        "saved": list(_saved(filters)),
        "actions": bulk.NAMES.items(),
        "extensions": waiting_extensions(request.user),
    }


def _saved(filters: Filters) -> Iterator[tuple[str, str, bool]]:
    """Each saved view: its name, its address, and whether it is the one shown."""
    for name, chosen in _SAVED:
        yield name, "?" + urlencode({"tab": "all", **chosen}), filters == Filters(**chosen)


def _cells(row: Row) -> tuple[object, ...]:
    submission = row.submission
    due = f"{row.due_at:%Y-%m-%d %H:%M}" if row.due_at else ""
    return (
        submission.public_id,
        row.title,
        row.polarity,
        row.areas,
        row.author,
        submission.call.slug if submission.call else "",
        row.state,
        row.turn,
        row.next_step,
        row.n_done,
        row.n_asked,
        row.apart,
        due,
        "yes" if row.is_overdue else "no",
    )
