"""Two to four labels side by side."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labels.comparing import MOST, compare
from labels.context import read_state
from labels.wording import in_words


@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """The chosen models row by row; without two of them, how to choose."""
    state = read_state(request)
    if len(state.models) > MOST:
        left_out = in_words([model.name for model in state.models[MOST:]])
        state.notices.append(f"{MOST} models fit side by side, so {left_out} stayed out.")
    context = {
        "state": state,
        "section": "compare",
        "comparison": compare(state),
        # One select a place; empty places say "None".
        "places": [*state.models[:MOST], *([None] * (MOST - len(state.models[:MOST])))],
    }
    return render(request, "labels/compare.html", context)
