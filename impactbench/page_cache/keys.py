"""Which requests a kept page may answer, and the name under which it is kept: everything that its bytes depend on."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.middleware.gzip import re_accepts_gzip

from labels.addresses import DEFAULTS

LONGEST_QUERY = 500
API = "/api/"
# Of pages, beside those that travel from page to page. A search text has no end of values and would push others out.
PARAMETERS = frozenset({*DEFAULTS, "bom", "pick", "show"} - {"q"})
# Answers may differ by these headers, as the key holds them, or says that there was no such cookie.
VARIES_BY = frozenset({"accept-encoding", "cookie", "hx-request", "hx-history-restore-request"})


def page_key(request: HttpRequest) -> str | None:
    """The name of the page that this request asks for; None where only the whole site can answer.

    Host and scheme are in it because full addresses on a page are made of them, and a host that is not ours has none.
    """
    if request.method not in ("GET", "HEAD") or _knows_the_visitor(request) or not _has_known_parameters(request):
        return None
    if "Range" in request.headers:
        return None  # parts and conditions belong together, and the view knows both
    if request.path_info.startswith(API) and not request.accepts("application/json"):
        return None  # the API itself says that it speaks nothing else
    try:
        site = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return None
    variant = (
        "gzip" if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")) else "",
        "part" if request.headers.get("HX-Request") == "true" else "",
        "restored" if request.headers.get("HX-History-Restore-Request") == "true" else "",
    )
    return " ".join((site, request.get_full_path(), *variant))


def _knows_the_visitor(request: HttpRequest) -> bool:
    """Somebody who may be signed in, or who waits for a message."""
    cookies = request.COOKIES
    return (
        settings.SESSION_COOKIE_NAME in cookies
        or CookieStorage.cookie_name in cookies
        or "Authorization" in request.headers
    )


def _has_known_parameters(request: HttpRequest) -> bool:
    if not (query := request.META.get("QUERY_STRING", "")):
        return True
    # The API refuses what it does not know by itself, and only what was found is kept.
    is_known = request.path_info.startswith(API) or request.GET.keys() <= PARAMETERS
    return len(query) <= LONGEST_QUERY and is_known
