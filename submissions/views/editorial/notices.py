"""Content notices: a list of what has them, and the form for one metric or for a whole benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.content_notices import VOCABULARY, kept
from evaluation.models import Benchmark, Metric
from evaluation.services import content_notices
from evaluation.services.content_notices import ChangedMeanwhile
from impactbench.common.errors import DomainError
from submissions.selectors import notices as selector
from submissions.selectors.handled_metrics import handled_benchmarks
from submissions.views.editors.access import need_editor

PAGE = 50


class _Set(Protocol):
    def __call__(self, notices: list[str], *, seen: list[str], reason: str, actor: Any) -> bool: ...


@dataclass(frozen=True)
class _Marked:
    """What a form is about: its names on the page, what is set now, and how it is set."""

    row: Metric | Benchmark
    name: str
    kind: str
    address: str
    public_path: str
    inherited: list[str]
    n_metrics: int
    now: list[str]
    set: _Set


@never_cache
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """The metrics that readers see, with what is set on them; by words, benchmark, and whether there is any."""
    need_editor(request)
    asked = {name: request.GET.get(name, "") for name in ("q", "bench", "only")}
    found = selector.metrics_to_mark(request.user, **asked)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    benchmarks = list(selector.public_benchmarks(request.user))
    context = {
        "section": "review",
        "tab": "public",
        "part": "notices",
        "page": page,
        "asked": asked,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "benchmarks": benchmarks,
        "chosen": next((one for one in benchmarks if one.slug == asked["bench"]), None),
        "only": selector.ONLY.items(),
        "is_filtered": any(asked.values()),
    }
    return render(request, "submissions/editorial/notices.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_metric(request: HttpRequest, benchmark: str, metric: str) -> HttpResponse:
    """Set or withdraw the notices of one metric."""
    need_editor(request)
    slug = f"{benchmark}/{metric}".replace("\x00", "")
    version = selector.metrics_to_mark(request.user).filter(metric__slug=slug).first()
    if version is None:
        raise Http404
    row = version.metric
    marked = _Marked(
        row=row,
        name=version.plain_name or version.name,
        kind="metric",
        address=reverse("submissions:notices-metric", args=[row.benchmark.slug, row.local_id]),
        public_path=reverse("labels:metric", args=[row.benchmark.slug, row.local_id]),
        inherited=kept(row.benchmark),
        n_metrics=1,
        now=content_notices.notices_of_metric(row),
        set=partial(content_notices.set_on_metric, row),
    )
    return _form(request, marked)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """Set or withdraw the notices of all metrics of a benchmark at once, also of those to come."""
    need_editor(request)
    row = handled_benchmarks(request.user).filter(slug=slug).first()
    n_metrics = selector.metrics_to_mark(request.user, bench=slug).count()
    if row is None or not n_metrics:
        raise Http404
    marked = _Marked(
        row=row,
        name=row.name,
        kind="benchmark",
        address=reverse("submissions:notices-benchmark", args=[row.slug]),
        public_path=reverse("labels:benchmark", args=[row.slug]),
        inherited=[],
        n_metrics=n_metrics,
        now=content_notices.in_order(kept(row)),
        set=partial(content_notices.set_on_benchmark, row),
    )
    return _form(request, marked)


def _form(request: HttpRequest, marked: _Marked) -> HttpResponse:
    chosen, seen, reason, problem, status = marked.now, marked.now, "", "", 200
    if request.method == "POST":
        own = request.POST.get("own", "").splitlines()
        chosen = [*request.POST.getlist("notice"), *own]
        reason = request.POST.get("reason", "")
        try:
            is_changed = marked.set(chosen, seen=request.POST.getlist("seen"), reason=reason, actor=request.user)
        except DomainError as error:
            problem, status = str(error), 409 if isinstance(error, ChangedMeanwhile) else 422
        else:
            messages.success(request, "Readers see it from now on." if is_changed else "It was set like this already.")
            return redirect(marked.address)
    context = {
        "section": "review",
        "tab": "public",
        "part": "notices",
        "marked": marked,
        "vocabulary": [(word, word in chosen) for word in VOCABULARY],
        "own": "\n".join(selector.in_own_words(chosen)),
        "seen": seen,
        "reason": reason,
        "problem": problem,
        "history": selector.history_of(marked.row),
        "longest_reason": content_notices.LONGEST_REASON,
    }
    return render(request, "submissions/editorial/notice.html", context, status=status)
