"""What readers say about a metric, and the form to say something; open to everybody."""

from __future__ import annotations

import re
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from impactbench.common.errors import DomainError
from submissions.models import Submission, Suggestion
from submissions.selectors.cases import cases_of_metric, listed
from submissions.selectors.visible import written_by
from submissions.selectors.voices import public_metric, shown_about
from submissions.services.suggestions import LONGEST, suggest

# People leave this field alone, since nobody sees it; programs that fill in every field do not.
TRAP = "website"
KINDS = {
    Suggestion.Kind.EXPERIENCE: _("It is about people like me, or people I care for, and I want to say something"),
    Suggestion.Kind.IMPROVEMENT: _("I know how the metric could be better"),
    Suggestion.Kind.DISPUTE: _("I think the metric is wrong"),
}
LABELS = {
    Suggestion.Kind.EXPERIENCE: _("From somebody it concerns"),
    Suggestion.Kind.IMPROVEMENT: _("Idea for improvement"),
    Suggestion.Kind.DISPUTE: _("Doubt"),
}


@login_not_required
@require_safe
def voices(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """The part of a metric's page with what people say about it, and its case studies."""
    version = public_metric(benchmark, metric)
    context = {
        "version": version,
        "shown": with_labels(shown_about(version.metric)),
        "cases": listed(cases_of_metric(version.metric)),
    }
    return render(request, "submissions/public/_voices.html", context)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def suggest_page(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """What people say, and a form to add to it; nothing is shown before an editor has read it."""
    version = public_metric(benchmark, metric)
    posted: dict[str, Any] = {"text": _brought_along(request), "kind": "", "signed_as": ""}
    problem: DomainError | None = None
    if request.method == "POST":
        posted = {name: request.POST.get(name, "") for name in posted}
        try:
            if not request.POST.get(TRAP):
                suggest(version.metric, **posted, person=request.user, address=_address(request))
        except DomainError as error:
            problem = error
        else:
            return redirect("submissions:suggested", benchmark, metric)
    elif posted["text"]:
        posted["kind"] = Suggestion.Kind.IMPROVEMENT
    elif conversation := _conversation(request):
        posted |= {"kind": Suggestion.Kind.DISPUTE, "text": f"About the judgment of chat {conversation}:\n\n"}
    context = {
        "section": "metrics",
        "version": version,
        "shown": with_labels(shown_about(version.metric)),
        "kinds": KINDS,
        "posted": posted,
        "problem": problem,
        "field": getattr(problem, "field", ""),
        "longest": LONGEST,
        "trap": TRAP,
        "crumbs": _crumbs(version, gettext("What people say")),
    }
    return render(request, "submissions/public/suggest.html", context, status=422 if problem else 200)


@login_not_required
@require_safe
def suggested(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """Says that it arrived and what happens next."""
    version = public_metric(benchmark, metric)
    context = {"section": "metrics", "version": version, "crumbs": _crumbs(version, gettext("It arrived"))}
    return render(request, "submissions/public/suggested.html", context)


def with_labels(suggestions: Any) -> list[tuple[Suggestion, str]]:
    """Each with the words for its kind."""
    return [(one, str(LABELS[Suggestion.Kind(one.kind)])) for one in suggestions]


def _address(request: HttpRequest) -> str:
    return str(get_adapter().get_client_ip(request))


def _brought_along(request: HttpRequest) -> str:
    """The words of the reader's own draft that led here; nothing of anybody else's."""
    draft: Submission | None = None
    if request.method == "GET" and (name := request.GET.get("from", "").replace("\x00", "")):
        draft = written_by(request.user).filter(public_id=name).first()
    if draft is None:
        return ""
    content = draft.draft
    return "\n\n".join(part for part in (content.construct, content.definition, content.differs) if part)[:LONGEST]


def _conversation(request: HttpRequest) -> str:
    """The conversation whose page led here, by its public name; '' for anything that is no such name."""
    name = request.GET.get("conversation", "")
    return name if re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name) else ""


def _crumbs(version: Any, last: str) -> list[tuple[str, str]]:
    name = version.plain_name or version.name
    return [(gettext("Metrics"), "/metrics/"), (name, f"/metrics/{version.metric.slug}/"), (last, "")]
