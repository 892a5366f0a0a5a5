"""The first page: the question, the limits, one real label, all models at a glance."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from labels import glance
from labels.addresses import public_url
from labels.card import card
from labels.context import State, read_state
from labels.demonstration import unfinished_demonstration
from labels.linked_data import site_data


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Everything on it is counted from the newest release (or the pinned one)."""
    state = read_state(request)
    demonstration = unfinished_demonstration()
    context = {
        "state": state,
        "demonstration": demonstration,
        "operator": settings.SITE_OPERATOR,
        "site_data": site_data(request),
        **_release_part(request, state),
    }
    response = render(request, "labels/home.html", context)
    if demonstration is not None:
        # It moves on while nothing is published.
        response["Cache-Control"] = "no-store"
    return response


@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """The demonstration's progress alone, asked for again and again by the first page; at its end the page reloads."""
    current = unfinished_demonstration()
    response = render(request, "labels/_progress.html", {"demonstration": current})
    response["Cache-Control"] = "no-store"
    if current is None:
        response["HX-Refresh"] = "true"
    return response


def _release_part(request: HttpRequest, state: State) -> dict[str, object]:
    if state.release is None:
        return {}
    items, _ = glance.ordered(glance.glances(state.release, state.targets), "name")
    # A sample by a fixed rule and not a pick: the first by name that was tested throughout.
    whole = glance.fully_tested(items) or items
    sample = next(iter(whole), None)
    return {
        "items": items,
        "finding": glance.finding(items),
        "chats_per_model": glance.chats_per_model(items),
        "card": card(request, state, sample.model) if sample else None,
        "share_picture": public_url(request, reverse("labels:label-share", args=[sample.model.slug])) if sample else "",
        "pair": ",".join(item.model.slug for item in whole[:2]),
        "sample_is_complete": sample is not None and not sample.is_partial,
    }
