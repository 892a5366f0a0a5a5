"""The first page: the question, the limits, one real label, all models at a glance."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labels import glance
from labels.card import card
from labels.context import State, read_state
from labels.demonstration import unfinished_demonstration


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Everything on it is counted from the newest release (or the pinned one)."""
    state = read_state(request)
    return render(
        request,
        "labels/home.html",
        {"state": state, "demonstration": unfinished_demonstration(), **_release_part(request, state)},
    )


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
    sample = next(iter(glance.fully_tested(items) or items), None)
    return {
        "items": items,
        "finding": glance.finding(items),
        "chats_per_model": glance.chats_per_model(items),
        "card": card(request, state, sample.model) if sample else None,
        "sample_is_complete": sample is not None and not sample.is_partial,
    }
