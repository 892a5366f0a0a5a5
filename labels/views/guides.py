"""Guides: the same pages and numbers in an order for one kind of reader."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from labels import glance, queries
from labels.context import read_state
from labels.errors import PageNotFound
from labels.guides import BY_SLUG, GUIDES, places_first


@require_safe
def guide(request: HttpRequest, guide: str) -> HttpResponse:
    """Questions in their order, what the label can and cannot say, and the parts of life to look at first."""
    shown = BY_SLUG.get(guide)
    if shown is None:
        links = [(str(one.readers), one.path) for one in GUIDES]
        raise PageNotFound(_("There is no guide of that name."), links, _("These guides exist"))
    state = read_state(request)
    context: dict[str, object] = {"section": "", "state": state, "guide": shown, "guides": GUIDES}
    if state.release:
        first, others = places_first(shown, queries.places(state.release))
        items, _outside = glance.ordered(
            glance.glances(state.release, state.targets, profile=state.result_profile), "name"
        )
        context |= {"first": first, "others": others, "items": items, "chats_per_model": glance.chats_per_model(items)}
    context["crumbs"] = [(_("Home"), reverse("labels:home")), (str(shown.title), "")]
    return render(request, "labels/guide.html", context)
