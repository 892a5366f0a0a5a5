"""Headers that every answer carries, and addresses that lead nowhere."""

from collections.abc import Callable

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from impactbench.settings.orcid import orcid_origin

# Inline styles and scripts are never used, so nothing that a model or a user wrote can become one.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; manifest-src 'self'; "
)

NO_DEVICES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class Compression(GZipMiddleware):
    """Django's own, but for downloads: they would lose their length, and most are compressed as they are."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_download = isinstance(response, FileResponse) and response.as_attachment
        return response if is_download else super().process_response(request, response)


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Add a strict Content-Security-Policy; a view marked `xframe_options_exempt` may be framed by anyone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        framed = getattr(response, "xframe_options_exempt", False)
        response.headers.setdefault("Content-Security-Policy", _policy(framed=framed))
        return response

    return middleware


def _policy(*, framed: bool) -> str:
    """Forms lead to this site and, where it is set up, to ORCID: browsers follow redirects of a form with this too."""
    targets = " ".join(["'self'", orcid_origin(settings.SOCIALACCOUNT_PROVIDERS)]).strip()
    return f"{POLICY}form-action {targets}; frame-ancestors {'*' if framed else chr(39) + 'none' + chr(39)}"


def isolation(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Keep answers out of other sites' processes, and devices out of reach of our own pages.

    Pictures, tables and data that everybody may read, and what may be framed, are for the pages of others as well.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", NO_DEVICES)
        shared = "cross-origin" if _is_for_others(request, response) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", shared)
        return response

    return middleware


def _is_for_others(request: HttpRequest, response: HttpResponse) -> bool:
    if getattr(response, "xframe_options_exempt", False):
        return True
    namespaces = request.resolver_match.namespaces if request.resolver_match else []
    is_public = any(name in settings.PUBLIC_NAMESPACES for name in namespaces)
    return is_public and not response.headers.get("Content-Type", "").startswith("text/html")


def no_zero_character(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 404 to a page's address with a zero character: PostgreSQL refuses one even in a question.

    The API says so itself, in its own form.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info and not request.path_info.startswith("/api/"):
            raise Http404
        return get_response(request)

    return middleware
