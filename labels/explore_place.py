"""Where an Explore page stands in the tree of areas, and the results that its views and files are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.models import Release, Result
from labels import exploring, queries
from labels.addresses import other_page
from labels.context import State, read_state
from labels.errors import PageNotFound
from labels.exploring import Block
from labels.ordering import NAME, read_sort
from labels.queries import Place

Group = Result.Group
LEVELS = (Group.OVERALL, Group.AREA, Group.SUBAREA)


class NothingPublished(PageNotFound):
    """There is no release yet, so no place either."""


@dataclass(frozen=True)
class Position:
    """Everything (no `path`), an area or a subarea of a release; `path` leads there through `tree`."""

    state: State
    release: Release
    tree: list[Place]
    path: list[Place]
    everything: Place = field(repr=False)

    @property
    def place(self) -> Place:
        return self.path[-1] if self.path else self.everything

    @property
    def group(self) -> Group:
        return LEVELS[len(self.path)]

    @property
    def shown_tree(self) -> list[Place]:
        """The areas that the grid, the wheel and the list of subareas show: all, or the one we are in."""
        return self.path[:1] or self.tree

    @property
    def where(self) -> str:
        """The place as part of a sentence: nothing, 'the psychological area', 'Learning'."""
        if self.group != Group.AREA:
            return self.place.name if self.path else ""
        if self.place.name.isalpha():
            return _("the %(area)s area") % {"area": self.place.name.lower()}
        return _("the area “%(area)s”") % {"area": self.place.name}

    @property
    def file_name(self) -> str:
        """What files of this place are called: 'explore-learning'."""
        return "-".join(["explore", *(place.slug for place in self.path[-1:])])


def read_position(request: HttpRequest, *slugs: str) -> Position:
    """The place of an address, empty slugs left out; an unknown one raises PageNotFound with its nearest neighbours."""
    state = read_state(request)
    if state.release is None:
        raise NothingPublished(_("Nothing has been published yet."))
    polarity = queries.metric_polarities(state.release)
    tree = queries.places(state.release, polarity)
    kinds = list(polarity.values())
    n = {kind: kinds.count(kind) for kind in set(kinds)}
    everything = Place("", _("All areas"), "", list(polarity), n, tree)
    path: list[Place] = []
    for slug in filter(None, slugs):
        choices = path[-1].parts if path else tree
        found = next((place for place in choices if place.slug == slug), None)
        if found is None:
            raise _not_found(request, tree, slug)
        path.append(found)
    return Position(state, state.release, tree, path, everything)


def place_path(request: HttpRequest, *places: Place) -> str:
    """The address of a place that shows the same models, kinds and view."""
    name = ("labels:explore", "labels:explore-area", "labels:explore-subarea")[len(places)]
    path = reverse(name, args=[place.slug for place in places])
    kept = {name: request.GET.get(name) for name in ("p", "sort", "view") if request.GET.get(name) != "dots"}
    return other_page(request, path, m=",".join(request.GET.getlist("m")), **kept)


def linked_tree(request: HttpRequest, tree: Sequence[Place]) -> list[tuple[Place, str, list[tuple[Place, str]]]]:
    """Areas with their subareas, each with its address."""
    return [
        (area, place_path(request, area), [(part, place_path(request, area, part)) for part in area.parts])
        for area in tree
    ]


def read_results(position: Position) -> list[Result]:
    """The results of the place itself: all models and the pooled ones."""
    found = queries.results(
        position.release, position.group, keys=[position.place.slug], profile=position.state.result_profile
    )
    return list(found)


def read_subarea_results(position: Position, *, pooled: bool = False) -> list[Result]:
    """The results of all subareas that are shown: of all models together and, unless `pooled`, of each model."""
    keys = [part.slug for area in position.shown_tree for part in area.parts]
    found = queries.results(position.release, Group.SUBAREA, keys=keys, profile=position.state.result_profile)
    return list(found.filter(model=None) if pooled else found)


def read_blocks(request: HttpRequest, position: Position) -> tuple[list[Block], str]:
    """The models of each kind in the order that the address asks for, and that order."""
    state, place = position.state, position.place
    sort = read_sort(request, state.notices) if "sort" in request.GET else NAME
    results = read_results(position)
    places = exploring.standings(state, results, group=position.group, key=place.slug)
    return exploring.blocks(state, results, place.n, sort=sort, places=places), sort


def _not_found(request: HttpRequest, tree: list[Place], slug: str) -> PageNotFound:
    addresses = {}
    for area in tree:
        addresses[area.slug] = (area.name, place_path(request, area))
        addresses.update({part.slug: (part.name, place_path(request, area, part)) for part in area.parts})
    near = get_close_matches(slug, addresses, n=5, cutoff=0.4) or [area.slug for area in tree]
    message = _("There is no area named “%(slug)s” in this release.") % {"slug": slug}
    return PageNotFound(message, [addresses[name] for name in near])
