"""The way back from a metric to the list it was opened on: named in `from`, and told in words with its filters."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Benchmark
from labels import metric_list
from labels.addresses import query_string
from labels.context import State
from labels.queries import Place

# The lists that metrics are opened on, as `from` names them.
_LISTS = re.compile(r"(?P<path>metrics|explore(?:/(?P<area>[-\w]+)(?:/(?P<subarea>[-\w]+))?)?)(?:\?(?P<query>.*))?")
LONGEST = 400


@dataclass(frozen=True)
class Back:
    """A link: its words and its address."""

    words: str
    href: str


def origin(request: HttpRequest) -> str:
    """What `from` says of the page asked for, if it is a list: its path and filters; '' otherwise."""
    path = request.path.strip("/")
    query = query_string({name: value for name, value in request.GET.items() if name != "from"})
    if not _LISTS.fullmatch(path) or (path == "metrics" and not query):
        return ""
    return f"{path}{query}"[:LONGEST]


def back_path(request: HttpRequest, state: State, tree: list[Place], benchmark: Benchmark) -> Back | None:
    """The list that `from` names; None where it names none. Only parameters that pages know are kept."""
    came = _LISTS.fullmatch(request.GET.get("from", "")[:LONGEST])
    if came is None:
        return None
    try:
        asked = dict(parse_qsl(came["query"] or "", max_num_fields=30))
    except ValueError:
        return None
    href = f"/{came['path']}/{query_string({name: value for name, value in asked.items() if name != 'from'})}"
    if came["path"] == "metrics":
        words = metric_list.read_filters(asked, tree, [benchmark]).words(asked.get("p", ""))
        filters = ", ".join(words.values())
        return Back(
            _("Back to the list: %(filters)s") % {"filters": filters} if filters else _("Back to the list"), href
        )
    place = _place(came, tree)
    if place is None:
        return None
    return Back(_("Back to %(place)s: %(who)s") % {"place": place, "who": _who(asked, state)}, href)


def _place(came: re.Match[str], tree: list[Place]) -> str | None:
    if not came["area"]:
        return _("Explore")
    area = next((place for place in tree if place.slug == came["area"]), None)
    if area is None or not came["subarea"]:
        return area.name if area else None
    return next((part.name for part in area.parts if part.slug == came["subarea"]), None)


def _who(asked: dict[str, str], state: State) -> str:
    n = len([slug for slug in asked.get("m", "").split(",") if slug])
    models = ngettext("%(n)s model", "%(n)s models", n) % {"n": n} if n else _("all models")
    who = next((one.name for one in state.profiles if one.slug == asked.get("profile")), _("everyone"))
    return f"{models}, {who}"
