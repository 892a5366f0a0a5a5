"""Explore: all models compared in one area of life, with what is inside it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from evaluation.models import Result
from labels import exploring, queries
from labels.addresses import query_string, same_page
from labels.context import State
from labels.explore_place import (
    Group,
    NothingPublished,
    Position,
    linked_tree,
    place_path,
    read_blocks,
    read_position,
    read_subarea_results,
)
from labels.grids import SHADES, grids
from labels.live import answered_live, wants_part
from labels.numbers import Number, number
from labels.ordering import NAME, SORTS, by_name
from labels.queries import Place
from labels.views.siblings import page_files, sibling
from labels.wheels import read_wheel
from labels.wording import KINDS

# Areas with their subareas and these with their addresses.
Linked = list[tuple[Place, list[tuple[Place, str]]]]


@require_safe
def explore(request: HttpRequest, area: str = "", subarea: str = "") -> HttpResponse:
    """Everything a release measured, one area, or one subarea; htmx gets the parts that the filters change."""
    try:
        position = read_position(request, area, subarea)
    except NothingPublished:
        if area:
            raise
        return render(request, "labels/nothing_yet.html", {"section": "explore", "title": _("Explore")})
    context = _context(request, position)
    if wants_part(request):
        part = render(request, "labels/_explore_swap.html", context)
        return answered_live(part, _address(request, position.state, context))
    return answered_live(render(request, "labels/explore.html", context))


def _context(request: HttpRequest, position: Position) -> dict[str, Any]:
    state, place = position.state, position.place
    view = _known(request, "view", exploring.VIEWS, "dots", state)
    made, sort = read_blocks(request, position)
    finding, how_sure = exploring.say(state, made, position.where)
    tree = linked_tree(request, position.tree)
    context: dict[str, Any] = {
        "section": "explore",
        "state": state,
        "place": place,
        "crumbs": _crumbs(request, position),
        "blocks": made,
        "finding": finding,
        "how_sure": how_sure,
        "status": state_words(state),
        "chips": _chips(request, state),
        "title": page_title(position, view),
        "tree": tree,
        "has_nav": view in ("dots", "table"),
        "view": view,
        "views": exploring.VIEWS,
        "sort": sort,
        "sorts": SORTS,
        "sort_word": SORTS[sort],
        "figure_address": sibling(request, "figure.json"),
        "releases": queries.releases(),
        "choices": by_name(state.targets),
        **page_files(request, state, "csv", "xlsx", "json", "svg"),
    }
    shown = [(area, parts) for area, _address, parts in tree if area in position.shown_tree]
    is_subarea = position.group == Group.SUBAREA
    is_drawn = view in ("grid", "wheel")
    results = read_subarea_results(position, pooled=not is_drawn) if is_drawn or not is_subarea else []
    context |= _of_view(view, state, shown, results)
    if is_subarea:
        return context | _metrics(request, position)
    # The wheel's own list has the subareas.
    return context | ({} if view == "wheel" else {"parts": _parts(state, shown, results)})


def _of_view(view: str, state: State, areas: Linked, results: list[Result]) -> dict[str, Any]:
    """What only the grid or the wheel shows."""
    if view == "grid":
        return {"shades": SHADES, "grids": grids(state.polarities, exploring.shown_models(state), areas, results)}
    if view == "wheel":
        kinds = [KINDS[polarity] for polarity in state.polarities]
        return {"shades": SHADES, "kinds": kinds, "wheel": read_wheel(state, areas, results)}
    return {}


def _metrics(request: HttpRequest, position: Position) -> dict[str, Any]:
    """The metrics of a subarea, page by page."""
    sort = _known(request, "inside", exploring.INSIDE_SORTS, "name", position.state)
    page, listed = exploring.inside(position.state, position.place, request, sort=sort)
    return {
        "inside": listed,
        "page": page,
        "inside_sorts": exploring.INSIDE_SORTS,
        "inside_sort": sort,
    }


def _parts(
    state: State, areas: Linked, results: list[Result]
) -> list[tuple[Place, list[tuple[Place, str, list[Number]]]]]:
    """Areas with their subareas, each with its address and the pooled numbers of all models."""
    pooled = {(result.key, result.polarity): number(result) for result in results if result.model_id is None}
    return [
        (
            area,
            [
                (part, href, [pooled[part.slug, kind] for kind in state.polarities if (part.slug, kind) in pooled])
                for part, href in parts
            ],
        )
        for area, parts in areas
    ]


def _known(request: HttpRequest, name: str, values: Any, default: str, state: State) -> str:
    """One of `values`, or the default; an unknown one is ignored with a notice."""
    value = request.GET.get(name, default) or default
    if value in values:
        return value
    state.notices.append(
        _("“%(value)s” is not known here as %(name)s, so it was ignored.") % {"value": value, "name": name}
    )
    return default


def _crumbs(request: HttpRequest, position: Position) -> list[tuple[str, str]]:
    places = [(place.name, place_path(request, *position.path[: at + 1])) for at, place in enumerate(position.path)]
    return [(_("Explore"), place_path(request)), *places]


def state_words(state: State) -> str:
    """What is shown, in one line that is also said when it changes: '16 models shown: Everyone, both kinds, July'."""
    n = len(exploring.shown_models(state))
    kinds = _("both kinds") if state.p == "both" else KINDS[state.polarities[0]].name
    words = {"n": n, "who": state.who, "kinds": kinds, "release": state.release.title if state.release else ""}
    return (
        ngettext(
            "%(n)s model shown: %(who)s, %(kinds)s, %(release)s.",
            "%(n)s models shown: %(who)s, %(kinds)s, %(release)s.",
            n,
        )
        % words
    )


def _chips(request: HttpRequest, state: State) -> list[tuple[str, str]]:
    """The active filters in words, each with the address without it."""
    chosen = [model.slug for model in state.models]
    m = ",".join(chosen)
    chips = []
    if state.profile != "both":
        chips.append((state.who, same_page(request, profile=None, m=m)))
    if state.p != "both":
        chips.append((str(KINDS[state.polarities[0]].name), same_page(request, p=None, m=m)))
    for model in state.models:
        others = ",".join(slug for slug in chosen if slug != model.slug)
        chips.append((model.name, same_page(request, m=others)))
    return chips


def page_title(position: Position, view: str) -> str:
    """One title for each state: place, who, kind, view and release."""
    state = position.state
    extra = [
        state.who if state.profile != "both" else "",
        str(KINDS[state.polarities[0]].name) if state.p != "both" else "",
        state.models[0].name if len(state.models) == 1 else "",
        _("%(n)s models") % {"n": len(state.models)} if len(state.models) > 1 else "",
        str(exploring.VIEWS[view]) if view != "dots" else "",
    ]
    title = _("%(place)s: Explore") % {"place": ", ".join(filter(None, [position.place.name, *extra]))}
    return f"{title} · {position.release.title}" if state.release_is_pinned else title


def _address(request: HttpRequest, state: State, context: dict[str, Any]) -> str:
    """The canonical address of what the filters show, for the browser's history."""
    values = {
        "release": state.pinned_slug,
        "profile": state.profile,
        "p": state.p,
        "m": ",".join(sorted(model.slug for model in state.models)),
        "view": context["view"] if context["view"] != "dots" else "",
        "sort": context["sort"] if context["sort"] != NAME else "",
        "inside": context.get("inside_sort", ""),
    }
    return request.path + query_string(values)
