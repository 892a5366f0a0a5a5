"""Replies of providers: the list, posting one, correcting and withdrawing it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from impactbench.accounts.naming import display_label
from impactbench.common.errors import DomainError
from submissions.forms.replies import NewReplyForm, ReplyForm
from submissions.models import ProviderReply
from submissions.selectors.provider_replies import shown
from submissions.services import provider_replies as service
from submissions.services.provider_replies import ChangedMeanwhile, Unusable
from submissions.views.editors.access import need_editor

PAGE = 50


@never_cache
@require_safe
def replies(request: HttpRequest) -> HttpResponse:
    """All replies, the newest first, withdrawn ones too."""
    need_editor(request)
    page = Paginator(ProviderReply.objects.all(), PAGE).get_page(request.GET.get("page"))
    rows = shown(page.object_list)  # type: ignore[arg-type]
    context = {"section": "review", "tab": "public", "part": "replies", "page": page, "rows": rows}
    return render(request, "submissions/editorial/replies.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Post a reply."""
    need_editor(request)
    form = NewReplyForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            values = form.cleaned_data
            reply = service.post(values["model"], values["release"], form.reply(), actor=request.user)
        except Unusable as error:
            _add_problems(form, error)
        else:
            messages.success(request, "It stands on the model’s page.")
            return redirect("submissions:reply", reply.pk)
    return _page(request, form, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reply(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a reply."""
    need_editor(request)
    found = _reply(pk)
    if request.method != "POST":
        return _page(request, ReplyForm(newest=service.newest_version(found)), found)
    form, status = ReplyForm(request.POST), 422
    if form.is_valid():
        try:
            service.correct(found, form.reply(), based_on=_based_on(request), actor=request.user)
        except Unusable as error:
            _add_problems(form, error)
        except DomainError as error:
            form.add_error(None, str(error))
            status = 409
        else:
            messages.success(request, "The correction is shown.")
            return redirect("submissions:reply", found.pk)
    return _page(request, form, found, status=status)


@never_cache
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a reply away, with a reason for everybody."""
    need_editor(request)
    found, reason = _reply(pk), request.POST.get("reason", "")
    try:
        service.withdraw(found, reason=reason, based_on=_based_on(request), actor=request.user)
    except DomainError as error:
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        form = ReplyForm(newest=service.newest_version(found))
        return _page(request, form, found, problem=str(error), reason=reason, status=status)
    messages.success(request, "It is withdrawn. Your reason stands in its place.")
    return redirect("submissions:reply", found.pk)


def _page(
    request: HttpRequest,
    form: ReplyForm,
    found: ProviderReply | None = None,
    *,
    problem: str = "",
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    versions = list(found.versions.select_related("written_by").order_by("-number")) if found else []
    context = {
        "section": "review",
        "tab": "public",
        "part": "replies",
        "form": form,
        "reply": found,
        "newest": versions[0] if versions else None,
        "versions": [(one, display_label(one.written_by) if one.written_by else "") for one in versions],
        "problem": problem,
        "reason": reason,
    }
    return render(request, "submissions/editorial/reply.html", context, status=status)


def _reply(pk: int) -> ProviderReply:
    return get_object_or_404(ProviderReply.objects.select_related("model", "release"), pk=pk)


def _based_on(request: HttpRequest) -> int:
    text = request.POST.get("based_on", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _add_problems(form: ReplyForm, error: Unusable) -> None:
    for field, sentence in error.problems:
        form.add_error(field, sentence)
