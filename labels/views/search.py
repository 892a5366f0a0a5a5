"""Search across everything that is public."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels import metric_list, searching
from labels.context import read_state


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What every searched word stands in, by kind; `only` names one kind, to see all of it."""
    state = read_state(request)
    text = request.GET.get("q", "").replace("\x00", "").strip()[: metric_list.LONGEST_SEARCH]
    only = request.GET.get("only", "")
    if only and only not in searching.names():
        state.notices.append(_("“%(value)s” is not known here as only, so it was ignored.") % {"value": only})
        only = ""
    groups = searching.search(request, state, text, only)
    context = {
        "section": "",
        "state": state,
        "q": text,
        "only": only,
        "groups": groups,
        "n": sum(group.n for group in groups),
        "has_words": bool(searching.words_of(text)),
    }
    return render(request, "labels/search.html", context)
