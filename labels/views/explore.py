"""Explore: all models compared in one area of life, with what is inside it."""

from difflib import get_close_matches
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.models import Result
from labels import exploring, queries
from labels.addresses import other_page
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.numbers import number
from labels.queries import Place


@require_safe
def explore(request: HttpRequest) -> HttpResponse:
    """Everything a release measured."""
    state = read_state(request)
    if state.release is None:
        return render(request, "labels/nothing_yet.html", {"section": "explore", "state": state, "title": "Explore"})
    tree = queries.places(state.release)
    polarity = queries.metric_polarities(state.release)
    kinds = list(polarity.values())
    everything = Place("", "All areas", "", list(polarity), {kind: kinds.count(kind) for kind in set(kinds)}, tree)
    return _page(request, state, tree, everything, group=Result.Group.OVERALL, crumbs=[("Explore", "")])


@require_safe
def area(request: HttpRequest, area: str) -> HttpResponse:
    """One area of the release's taxonomy; an unknown one is answered with its nearest neighbours."""
    state, tree = _read(request)
    place = _find(tree, area, tree, request)
    crumbs = [("Explore", _path(request)), (place.name, "")]
    return _page(request, state, tree, place, group=Result.Group.AREA, crumbs=crumbs, area=place)


@require_safe
def subarea(request: HttpRequest, area: str, subarea: str) -> HttpResponse:
    """One subarea: every model's numbers and the metrics they rest on."""
    state, tree = _read(request)
    parent = _find(tree, area, tree, request)
    place = _find(parent.parts, subarea, tree, request)
    crumbs = [("Explore", _path(request)), (parent.name, _path(request, parent)), (place.name, "")]
    return _page(request, state, tree, place, group=Result.Group.SUBAREA, crumbs=crumbs, area=parent)


def _read(request: HttpRequest) -> tuple[State, list[Place]]:
    state = read_state(request)
    if state.release is None:
        raise PageNotFound("Nothing has been published yet.")
    return state, queries.places(state.release)


def _find(places: list[Place], slug: str, tree: list[Place], request: HttpRequest) -> Place:
    found = next((place for place in places if place.slug == slug), None)
    if found is not None:
        return found
    addresses = {}
    for one in tree:
        addresses[one.slug] = (one.name, _path(request, one))
        addresses.update({part.slug: (part.name, _path(request, one, part)) for part in one.parts})
    near = get_close_matches(slug, addresses, n=5, cutoff=0.4) or [one.slug for one in tree]
    raise PageNotFound(f"There is no area named “{slug}” in this release.", [addresses[name] for name in near])


def _path(request: HttpRequest, *places: Place) -> str:
    name = ["labels:explore", "labels:explore-area", "labels:explore-subarea"][len(places)]
    path = reverse(name, args=[place.slug for place in places])
    return other_page(request, path, m=request.GET.get("m"), p=request.GET.get("p"), view=request.GET.get("view"))


def _page(
    request: HttpRequest,
    state: State,
    tree: list[Place],
    place: Place,
    *,
    group: Result.Group,
    crumbs: list[tuple[str, str]],
    area: Place | None = None,
) -> HttpResponse:
    assert state.release is not None
    view = request.GET.get("view", "dots")
    found = queries.results(state.release, group, keys=[place.slug], profile=state.result_profile)
    made = exploring.blocks(state, found, place.n)
    where = {Result.Group.OVERALL: "", Result.Group.AREA: _area_words(place)}.get(group, place.name)
    finding, how_sure = exploring.say(state, made, where)
    context: dict[str, Any] = {
        "section": "explore",
        "state": state,
        "place": place,
        "area": area,
        "crumbs": crumbs,
        "blocks": made,
        "finding": finding,
        "how_sure": how_sure,
        "tree": [(one, _path(request, one), [(part, _path(request, one, part)) for part in one.parts]) for one in tree],
        "view": view if view in exploring.VIEWS else "dots",
        "views": exploring.VIEWS,
        "area_path": reverse("labels:explore-area", args=[area.slug]) if area else "",
        "releases": queries.releases(),
        "choices": exploring.by_name(state.targets),
    }
    if context["view"] == "grid":
        context["shades"] = exploring.SHADES
        context["grids"] = _grids(request, state, [area] if area else tree)
    if group == Result.Group.SUBAREA:
        context["inside"] = exploring.inside(state, place, request)
    else:
        context["parts"] = _parts(request, state, [area] if area else tree)
    return render(request, "labels/explore.html", context)


def _area_words(area: Place) -> str:
    """The area as part of a sentence: 'the psychological area'."""
    return f"the {area.name.lower()} area" if area.name.isalpha() else f"the area “{area.name}”"


def _grids(request: HttpRequest, state: State, tree: list[Place]) -> list[exploring.Grid]:
    assert state.release is not None
    keys = [part.slug for one in tree for part in one.parts]
    found = queries.results(state.release, Result.Group.SUBAREA, keys=keys, profile=state.result_profile)
    return exploring.grids(state, tree, found, request)


def _parts(request: HttpRequest, state: State, tree: list[Place]) -> list[tuple[Place, list[tuple[Place, str, Any]]]]:
    """Areas with their subareas, each with its address and the pooled numbers of all models."""
    assert state.release is not None
    keys = [part.slug for one in tree for part in one.parts]
    found = queries.results(state.release, Result.Group.SUBAREA, keys=keys, profile=state.result_profile)
    pooled = {(result.key, result.polarity): result for result in found.filter(model=None)}
    listed = []
    for one in tree:
        rows = []
        for part in one.parts:
            numbers = [
                number(pooled[part.slug, polarity]) for polarity in state.polarities if (part.slug, polarity) in pooled
            ]
            rows.append((part, _path(request, one, part), numbers))
        listed.append((one, rows))
    return listed
