"""Case studies for readers: the list, and a conversation with an editor's words beside its turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.content_notices import notices_of
from evaluation.models import Metric, MetricVersion, Release
from submissions.models import CaseStudy, CaseVersion
from submissions.selectors import cases as selector
from submissions.services.cases import published_version

PAGE = 20


@dataclass(frozen=True)
class PageState:
    """What the notices at the top of a public page speak about: the release, and what was ignored of the address."""

    release: Release | None = None
    newer: None = None
    notices: list[str] = field(default_factory=list)


@login_not_required
@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """The published case studies, the newest first; of one metric where the address names one."""
    found, state = selector.published_cases(), PageState()
    slug = request.GET.get("metric", "").replace("\x00", "")
    metric = Metric.objects.filter(slug=slug, versions__is_published=True).first() if slug else None
    if slug:
        metric = metric or Metric.objects.filter(slug=slug, versions__releases__isnull=False).first()
    if slug and metric is None:
        state.notices.append(_("“%(name)s” is not known here as metric, so it was ignored.") % {"name": slug})
    if metric is not None:
        found = selector.cases_of_metric(metric)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {
        "state": state,
        "page": page,
        "rows": selector.listed(page.object_list),  # type: ignore[arg-type]
        "metric": metric,
    }
    return render(request, "submissions/public/cases.html", context)


@login_not_required
@require_safe
def case(request: HttpRequest, slug: str) -> HttpResponse:
    """One case study; a hard conversation starts closed and opens with `?show=1`, a retired one says why it went."""
    found = selector.case_with_everything(slug)
    version = published_version(found) if found is not None else None
    if found is None or version is None:
        raise Http404
    if found.retired_at is not None:
        context = {"case": found, "version": version, "crumbs": _crumbs(version)}
        return render(request, "submissions/public/case_retired.html", context, status=410)
    return case_page(request, found, version)


def case_page(
    request: HttpRequest, found: CaseStudy, version: CaseVersion, *, is_preview: bool = False
) -> HttpResponse:
    """The page of a version of a case study; a preview is open, and says that nobody else reads it yet."""
    conversation = found.conversation
    metric_version = conversation.scenario.base.metric_version
    hard = notices_of(metric_version)
    is_closed = bool(hard) and not is_preview and request.GET.get("show") != "1"
    evidence = selector.evidence(found)
    context: dict[str, Any] = {
        "state": PageState(found.release),
        "case": found,
        "version": version,
        "conversation": conversation,
        "metric_version": metric_version,
        "metric_name": metric_version.plain_name or metric_version.name,
        "metric_path": _pinned(_metric_path(metric_version), found.release),
        "conversation_path": _pinned(reverse("labels:conversation", args=[conversation.public_id]), found.release),
        "content_notices": hard,
        "is_closed": is_closed,
        "is_preview": is_preview,
        "verdict": evidence.verdict,
        "results": evidence.results,
        "turns": [] if is_closed else selector.annotated_turns(found, selector.notes_of(version)),
        "crumbs": _crumbs(version),
    }
    response = render(request, "submissions/public/case.html", context)
    if hard:
        response["X-Robots-Tag"] = "noindex"
    return response


def _metric_path(version: MetricVersion) -> str:
    return reverse("labels:metric", args=[version.metric.benchmark.slug, version.metric.local_id])


def _pinned(path: str, release: Release) -> str:
    return f"{path}?{urlencode({'release': release.slug})}"


def _crumbs(version: CaseVersion) -> list[tuple[str, str]]:
    return [(_("Case studies"), reverse("submissions:cases")), (version.title, "")]
