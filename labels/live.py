"""Whether a page is asked for as a whole or, by a live form on it, only the part that changes."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for the part; going back in the history needs the whole page."""
    is_history = request.headers.get("HX-History-Restore-Request") == "true"
    return request.headers.get("HX-Request") == "true" and not is_history


def answered_live(response: HttpResponse, address: str = "") -> HttpResponse:
    """The response marked as depending on who asks; `address` is what the browser's bar shows after a swap."""
    patch_vary_headers(response, ["HX-Request"])
    if address:
        response["HX-Push-Url"] = address
    return response
