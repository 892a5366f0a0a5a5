"""The calls: a list with counts, and the form to make and change one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from impactbench.common.errors import DomainError
from impactbench.common.moments import zone
from submissions.forms.calls import CallForm
from submissions.models import Call
from submissions.selectors.visible import for_editing
from submissions.services.call_admin import is_reviewed, save_call
from submissions.states import OPEN
from submissions.views.editors.access import need_editor


@require_GET
def calls(request: HttpRequest) -> HttpResponse:
    """All calls, the newest first, with how much was sent to each of what the editor may handle."""
    need_editor(request)
    counted = (
        for_editing(request.user)
        .order_by()
        .values("call")
        .annotate(n_all=Count("pk"), n_open=Count("pk", filter=Q(state__in=OPEN)))
    )
    counts = {row["call"]: (row["n_all"], row["n_open"]) for row in counted}
    rows = [
        {
            "call": call,
            "n_all": counts.get(call.pk, (0, 0))[0],
            "n_open": counts.get(call.pk, (0, 0))[1],
            "opens": _moment(call, call.opens_at),
            "closes": _moment(call, call.closes_at) if call.closes_at else "",
        }
        for call in Call.objects.order_by("-opens_at")
    ]
    return render(request, "submissions/editors/calls.html", {"section": "review", "tab": "calls", "rows": rows})


@require_http_methods(["GET", "POST"])
def new_call(request: HttpRequest) -> HttpResponse:
    """Make a call."""
    need_editor(request)
    return _form(request, None)


@require_http_methods(["GET", "POST"])
def edit_call(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a call."""
    need_editor(request)
    return _form(request, get_object_or_404(Call, slug=slug))


def _moment(call: Call, moment: datetime) -> str:
    """'29 January 2027, 04:46 in Europe/Paris (03:46 UTC)': the call's own time first."""
    there, utc = moment.astimezone(zone(call.time_zone)), moment.astimezone(UTC)
    if there.utcoffset() == utc.utcoffset():
        return f"{utc.day} {utc:%B %Y, %H:%M} UTC"
    day = "" if there.date() == utc.date() else f"{utc.day} {utc:%B}, "
    return f"{there.day} {there:%B %Y, %H:%M} in {call.time_zone} ({day}{utc:%H:%M} UTC)"


def _form(request: HttpRequest, call: Call | None) -> HttpResponse:
    form = CallForm(request.POST if request.method == "POST" else None, call=call)
    if form.is_bound and form.is_valid():
        try:
            save_call(form.rules(), call=call, actor=request.user)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The call is saved.")
            return redirect("submissions:review-calls")
    context: dict[str, Any] = {
        "section": "review",
        "tab": "calls",
        "form": form,
        "call": call,
        "is_reviewed": call is not None and is_reviewed(call),
        "opens": _moment(call, call.opens_at) if call else "",
        "closes": _moment(call, call.closes_at) if call and call.closes_at else "",
    }
    return render(request, "submissions/editors/call.html", context, status=422 if form.is_bound else 200)
