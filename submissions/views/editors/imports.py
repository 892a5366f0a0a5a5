"""The import desk: reading benchmark files, working on their drafts, sending them to review."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.importers.formats import spreadsheet
from evaluation.importers.registry import DRAFT_FORMATS
from evaluation.selectors.taxonomies import areas_in_force
from impactbench.common.csv_files import csv_response
from impactbench.common.errors import DomainError
from submissions.checks import CREDITS, LICENCES
from submissions.content import text_of
from submissions.forms.imports import edits_in, shared_in
from submissions.import_text import RowText, Shared
from submissions.models import SourceImport
from submissions.selectors import imports as selector
from submissions.services import draft_rows, sending_imports
from submissions.services.reading_sources import read_source
from submissions.views.editors.access import need_editor

LONGEST_WORDS = 300
DROP_REASONS = (
    "Not a behaviour of an assistant",
    "Covered by another metric",
    "Too vague to judge",
    "Tests knowledge, not behaviour",
    "The source’s licence does not allow it",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """The imports so far, and a form that reads another file."""
    need_editor(request)
    problem, status = "", 200
    if request.method == "POST":
        try:
            source, is_new = read_source(request.FILES.getlist("file"), actor=request.user)
        except DomainError as error:
            problem, status = str(error), 422
        else:
            if not is_new:
                messages.info(request, "These very files were read before. Here is what was made of them.")
            return redirect("submissions:import", source.pk)
    page = Paginator(selector.imports().select_related("read_by"), selector.IMPORTS_A_PAGE)
    context = {
        "section": "review",
        "tab": "imports",
        "page": page.get_page(request.GET.get("page")),
        "problem": problem,
        "formats": [format_.describe().title for format_ in DRAFT_FORMATS],
    }
    return render(request, "submissions/imports/imports.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The drafts of one import beside their source; every button keeps first what was written on the page."""
    need_editor(request)
    source = get_object_or_404(SourceImport, pk=pk)
    if request.method != "POST":
        return _page(request, source)
    try:
        stale = _save(request, source)
        if stale:
            return _page(request, source, typed=stale, status=409)
        return _act(request, source)
    except DomainError as error:
        messages.error(request, str(error))
    return redirect(request.get_full_path())


@never_cache
@require_safe
def template_csv(request: HttpRequest) -> HttpResponseBase:
    """Our spreadsheet without rows, to be filled in."""
    need_editor(request)
    return csv_response("impactbench-metrics.csv", spreadsheet.COLUMNS, [], bom=True)


def _save(request: HttpRequest, source: SourceImport) -> dict[int, RowText]:
    """Keep what was written; the words for rows that somebody else changed meanwhile, which were not kept."""
    shared = shared_in(request.POST)
    if shared is not None and shared != Shared.from_json(source.shared):
        draft_rows.share(source, shared, actor=request.user)
    shown = [int(key) for key in request.POST.getlist("shown") if key.isascii() and key.isdigit()]
    edits = edits_in(request.POST, source.rows.filter(pk__in=shown[: selector.PAGE]))
    act, stale = draft_rows.save(source, edits, actor=request.user)
    if act is not None and request.POST.get("a", "save") == "save":
        messages.success(request, f"Kept: {act.told}")
    return {row.pk: edits[row.pk].text for row in stale}


def _act(request: HttpRequest, source: SourceImport) -> HttpResponse:
    action, _, key = request.POST.get("a", "").partition("-")
    keys = [int(one) for one in (key, *request.POST.getlist("row")) if one.isascii() and one.isdigit()]
    if "all" in request.POST and action in _OF_ALL:
        keys = list(selector.rows_of(source, _look(request)).values_list("pk", flat=True))
    if action == "draft":
        made = sending_imports.open_as_draft(source, keys[0] if key else 0, actor=request.user)
        return redirect("submissions:edit", made.public_id)
    if action == "discard":
        draft_rows.discard(source, actor=request.user)
        messages.success(request, "The import was discarded. What was sent on stays.")
        return redirect("submissions:imports")
    if action in _ACTS:
        told = _ACTS[action](request, source, keys[:1] if key else keys)
        messages.success(request, told)
    return redirect(request.get_full_path())


def _look(request: HttpRequest) -> selector.Look:
    view = request.GET.get("view", "")
    words, flag = (text_of(request.GET.get(name)).strip()[:LONGEST_WORDS] for name in ("q", "flag"))
    return selector.Look(view if view in selector.VIEWS else "open", words, flag)


def _send(request: HttpRequest, source: SourceImport, _keys: list[int]) -> str:
    made, n_left = sending_imports.send_checked(source, actor=request.user)
    told = f"{len(made)} submission{'s are' if len(made) > 1 else ' is'} in review, in your name."
    return f"{told} {n_left} checked rows stay: see what they lack, or press again." if n_left else told


def _undo(request: HttpRequest, source: SourceImport, _keys: list[int]) -> str:
    return f"Undone: {draft_rows.undo(source, actor=request.user).told}"


def _split(request: HttpRequest, source: SourceImport, keys: list[int]) -> str:
    if len(keys) != 1:
        raise DomainError("Split one row at a time.")
    return draft_rows.split(source, keys[0], actor=request.user).told


def _drop(request: HttpRequest, source: SourceImport, keys: list[int]) -> str:
    return draft_rows.drop(source, keys, reason=request.POST.get("reason", ""), actor=request.user).told


# What may be done to all rows that are looked at. That each is good or bad is checked one by one.
_OF_ALL = ("drop", "restore")
_ACTS: dict[str, Callable[[HttpRequest, SourceImport, list[int]], str]] = {
    "confirm": lambda request, source, keys: draft_rows.confirm(source, keys, actor=request.user).told,
    "merge": lambda request, source, keys: draft_rows.merge(source, keys, actor=request.user).told,
    "restore": lambda request, source, keys: draft_rows.restore(source, keys, actor=request.user).told,
    "drop": _drop,
    "split": _split,
    "undo": _undo,
    "accept": _send,
}


def _page(
    request: HttpRequest, source: SourceImport, *, typed: dict[int, RowText] | None = None, status: int = 200
) -> HttpResponse:
    typed = typed or {}
    closed = source.rows.filter(pk__in=typed).exclude(state__in=draft_rows.OPEN).select_related("submission")
    unkept = [(row, typed[row.pk]) for row in closed] if typed else []
    typed = {key: text for key, text in typed.items() if key not in {row.pk for row, _ in unkept}}
    views = selector.views_of(source)
    look = _look(request)
    page = selector.page_of(source, look, request.GET.get("page"))
    counts = {one.name: one.count for one in views}
    rows = selector.shown_rows(source, page.object_list, typed)  # type: ignore[arg-type]
    context: dict[str, Any] = {
        "section": "review",
        "tab": "imports",
        "source": source,
        "views": views,
        "view": look.view,
        "look": look,
        "flags": selector.flags_of(source, look.view),
        "query": look.query,
        "page": page,
        "rows": rows,
        "typed": typed,
        "unkept": unkept,
        "n_checked": counts.get("checked", 0),
        "n_open": counts["open"],
        "undoable": _undoable(source),
        "shared": Shared.from_json(source.shared),
        "common": next((row.prospect.common for row in rows if row.prospect and row.is_open), ()),
        "areas": areas_in_force().prefetch_related("subareas"),
        "licences": LICENCES,
        "credits": CREDITS,
        "reasons": DROP_REASONS,
    }
    return render(request, "submissions/imports/import.html", context, status=status)


def _undoable(source: SourceImport) -> Any:
    act = draft_rows.last_act(source)
    return act if act is not None and act.action != act.Action.ACCEPT and source.discarded_at is None else None
