"""Case studies for editors: the list, picking a conversation, publishing and retiring."""

from __future__ import annotations

import re

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from impactbench.common.errors import DomainError
from submissions.models import CaseStudy
from submissions.selectors import cases as selector
from submissions.services import cases as service
from submissions.views.editorial import case_form
from submissions.views.editors.access import need_editor
from submissions.views.public.cases import case_page

PAGE = 50
# A conversation's address as it is copied from the browser, or its public name alone.
_ADDRESS = re.compile(r"(?:.*/conversations/)?([A-Za-z0-9_-]{1,32})/?(?:[?#].*)?")


@never_cache
@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """All case studies that the editor handles, and the field to pick a conversation."""
    need_editor(request)
    page = Paginator(selector.handled_cases(request.user), PAGE).get_page(request.GET.get("page"))
    rows = [_row(request, case) for case in page.object_list]
    context = {"section": "review", "tab": "public", "part": "cases", "page": page, "rows": rows}
    return render(request, "submissions/editorial/cases.html", context)


@never_cache
@require_safe
def pick(request: HttpRequest) -> HttpResponse:
    """Lead from what was pasted to the form for that conversation, or say what is wrong with it."""
    need_editor(request)
    typed = request.GET.get("conversation", "").strip()
    found = _ADDRESS.fullmatch(typed)
    if found and case_form.pickable(request.user, found[1]):
        return redirect("submissions:case-new", found[1])
    problem = (
        "There is no such conversation with a verdict and published words among those you may write about. Open the "
        "conversation, copy its address and paste it here."
        if typed
        else ""
    )
    context = {"section": "review", "tab": "public", "part": "cases", "typed": typed, "problem": problem}
    return render(request, "submissions/editorial/case_pick.html", context, status=422 if problem else 200)


@never_cache
@require_safe
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest version as readers would see it, its conversation open."""
    case = _case(request, slug)
    return case_page(request, case, service.newest_version(case), is_preview=True)


@never_cache
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the version that the editor has read."""
    case = _case(request, slug)
    number = request.POST.get("number", "")
    try:
        service.publish(case, number=int(number) if number.isascii() and number.isdigit() else 0, actor=request.user)
    except DomainError as error:
        return case_form.page(request, case, problems=[str(error)], status=409)
    messages.success(request, "It is published.")
    return redirect("submissions:case-edit", case.slug)


@never_cache
@require_POST
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a case study away, with a reason for everybody."""
    case = _case(request, slug)
    reason = request.POST.get("reason", "")
    try:
        service.retire(case, reason=reason, actor=request.user)
    except DomainError as error:
        return case_form.page(request, case, problems=[str(error)], reason=reason, status=422)
    messages.success(request, "It is retired. Its address stays, with your reason.")
    return redirect("submissions:case-edit", case.slug)


def _case(request: HttpRequest, slug: str) -> CaseStudy:
    need_editor(request)
    case = selector.handled_cases(request.user).filter(slug=slug).first()
    if case is None:
        raise Http404
    return case


def _row(request: HttpRequest, case: CaseStudy) -> dict[str, object]:
    newest = service.newest_version(case)
    return {"case": case, "newest": newest, "state": case_form.state_words(case, newest, request.user)}
