"""Query strings of public pages: which parameters carry a page's state, their defaults and their one order."""

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

if TYPE_CHECKING:
    from labels.context import State

# Parameter: the value that is left out of an address. Only these ever travel from page to page.
DEFAULTS = {
    "after": "",
    "area": "",
    "before": "",
    "bench": "",
    "from": "",
    "inside": "name",
    "m": "",
    "only": "",
    "p": "both",
    "page": "1",
    "print": "",
    "profile": "both",
    "provider": "",
    "q": "",
    "release": "",
    "sort": "name",
    "status": "",
    "subarea": "",
    "version": "",
    "view": "",
    "weights": "",
    "with": "",
}
# What goes along when a link leads to another page: which results one looks at, not how a list is filtered.
CARRIED = ("profile", "release")
# What changes how much of a page is shown, or on which paper, and not what it says.
NOT_CANONICAL = ("after", "before", "from", "page", "print")
# Where in a list one is.
IN_LIST = ("after", "before", "page")


def query_string(values: Mapping[str, object]) -> str:
    """The canonical query of `values` with its question mark: known names, sorted, defaults and blanks left out."""
    kept = {
        name: str(value)
        for name, value in sorted(values.items())
        if name in DEFAULTS and value not in (None, "") and str(value) != DEFAULTS[name]
    }
    return f"?{urlencode(kept, safe=',')}" if kept else ""


def same_page(request: HttpRequest, **changes: object) -> str:
    """The query of this page with some parameters changed (None removes one); '?' when nothing is left.

    Changing anything, or the place in the list itself, leaves the present place in the list.
    """
    values = {name: request.GET.get(name, "") for name in request.GET if name in DEFAULTS}
    if "m" in values:
        # Check boxes send it once for each model.
        values["m"] = ",".join(filter(None, request.GET.getlist("m")))
    for name in IN_LIST:
        values.pop(name, None)
    return query_string({**values, **changes}) or "?"


def other_page(request: HttpRequest, path: str, **changes: object) -> str:
    """The address of another page that shows the same release and profile."""
    carried = {name: request.GET.get(name, "") for name in CARRIED}
    return path + query_string({**carried, **changes})


def canonical_query(request: HttpRequest, state: "State | None") -> str:
    """The query of what a page shows, whatever way led there: no page number, no print, nothing that was ignored.

    The release is named only where the address names it: without it the address is that of the newest results.
    """
    values = {name: value for name, value in request.GET.items() if name in DEFAULTS and name not in NOT_CANONICAL}
    if state:
        release = state.pinned_slug if "release" in request.GET else ""
        values |= {"profile": state.profile, "p": state.p, "release": release}
        values["m"] = ",".join(sorted(model.slug for model in state.models))
    return query_string(values)


def public_url(request: HttpRequest, path: str) -> str:
    """The full address of a path: under PUBLIC_URL where an operator set it, else under the request's host."""
    return settings.PUBLIC_URL.rstrip("/") + path if settings.PUBLIC_URL else request.build_absolute_uri(path)
