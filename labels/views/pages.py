"""The pages to read: methodology, glossary, about."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Release
from evaluation.services.studies.statuses import status_rules as site_rules
from labels import bands, tracing
from labels import glossary as words
from labels.chosen import chosen_conversations_rule
from labels.context import read_state, releases_newest_first
from labels.methodology import CHANGES, CHECKS, STATUS_MEANINGS, status_rules
from labels.strengths import strength_rule
from labels.trust import STATUS_CLASSES, STATUSES
from labels.weakest import weakest_spot_rule


@require_safe
def methodology(request: HttpRequest) -> HttpResponse:
    """How a sentence about behaviour becomes a number, with one number traced through the shown release."""
    state = read_state(request)
    published = releases_newest_first().filter(status=Release.Status.PUBLISHED)
    context = {
        "section": "methodology",
        "state": state,
        "changes": CHANGES,
        "bands": bands.spans(),
        "points": settings.REGRESSION_POINTS,
        "statuses": [(STATUSES[slug], STATUS_CLASSES[slug], STATUS_MEANINGS[slug]) for slug in STATUSES],
        "status_rules": status_rules(site_rules()),
        "chosen_rule": chosen_conversations_rule(),
        "weakest_rule": [*weakest_spot_rule(), strength_rule()],
        "checks": CHECKS,
        "trace": tracing.trace(state.release, published),
        "trace_rule": tracing.trace_rule(),
    }
    return render(request, "labels/methodology.html", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Every word of the site that needs explaining."""
    terms = sorted(words.TERMS, key=lambda term: term.word.casefold())
    return render(request, "labels/glossary.html", {"section": "", "state": read_state(request), "terms": terms})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this is, who it is for, what it does not do, and who runs this copy in the operator's own words."""
    operator = {
        "name": settings.SITE_OPERATOR,
        "contact": settings.SITE_CONTACT,
        "funding": settings.SITE_FUNDING,
        "conflicts": settings.SITE_CONFLICTS,
        "licence": settings.SITE_LICENCE,
    }
    return render(request, "labels/about.html", {"section": "", "state": read_state(request), "operator": operator})
