"""The pages to read: methodology, glossary, about."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labels import bands, tracing
from labels import glossary as words
from labels.context import read_state
from labels.metric_list import STATUS_CLASSES, STATUSES

STATUS_MEANINGS = {
    "draft": "Written down. No published test has measured it yet.",
    "machine-judged": "Run and judged by an AI judge. No expert has checked the verdicts yet.",
    "expert-reviewed": "Experts have checked its words and a sample of its verdicts.",
    "disputed": "Somebody gave reasons against it that have not been settled. The reasons are shown.",
    "retired": "No longer run. Old results stay where they are.",
}


@require_safe
def methodology(request: HttpRequest) -> HttpResponse:
    """How a sentence about behaviour becomes a number, with one number traced through the shown release."""
    state = read_state(request)
    ends = [100, *(floor - 1 for floor, _ in bands.BANDS)]
    context = {
        "section": "methodology",
        "state": state,
        "bands": [(word, floor, end) for (floor, word), end in zip(bands.BANDS, ends, strict=False)],
        "floors": bands,
        "partial_below": round(bands.PARTIAL_BELOW * 100),
        "not_enough_below": round(bands.NOT_ENOUGH_BELOW * 100),
        "statuses": [(STATUSES[slug], STATUS_CLASSES[slug], STATUS_MEANINGS[slug]) for slug in STATUSES],
        "trace": tracing.trace(state.release) if state.release else None,
    }
    return render(request, "labels/methodology.html", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Every word of the site that needs explaining."""
    terms = sorted(words.TERMS, key=lambda term: term.word.casefold())
    return render(request, "labels/glossary.html", {"section": "", "state": read_state(request), "terms": terms})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this is, who it is for, and what it does not do."""
    return render(request, "labels/about.html", {"section": "", "state": read_state(request)})
