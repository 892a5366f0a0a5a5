"""Answers visits to public pages with what was made before; stands outside of everything but the request's id."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response

from impactbench.common import page_version
from impactbench.page_cache import levels
from impactbench.page_cache.kept import kept_page
from impactbench.page_cache.keys import API, page_key

HEADER = "X-Page-Cache"
CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")
View = Callable[[HttpRequest], HttpResponse]


def page_cache(get_response: View) -> View:
    """Keep the pages of `labels` and the public answers of the API as they are sent, and send them again until anything
    that they show changes.

    Who may be signed in is not answered from here. When several visitors miss a page together, each of the few threads
    makes it once: no more than without any cache.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        name = _name(request)
        if name is None:
            return get_response(request)
        # Most answers of the API are made as fast as another process's could be asked for.
        is_shared = not request.path_info.startswith(API)
        page = levels.find(name, is_shared=is_shared)
        if page is not None:
            return _answer(request, page.response(), "hit")
        if not _is_a_public_page(request):
            return get_response(request)
        conditions = {header: request.META.pop(header) for header in CONDITIONS if header in request.META}
        response = get_response(request)
        request.META.update(conditions)
        page = kept_page(request, response)
        if page is not None:
            levels.keep(name, page, is_shared=is_shared)
        return _answer(request, response, "miss")

    return middleware


def _name(request: HttpRequest) -> str | None:
    """The page's name in this version of all pages and this start of the server; None where nothing is kept.

    The version is read before the page is made: a change meanwhile leaves the page under a name nobody asks for.
    """
    key = page_key(request) if settings.PAGE_CACHE else None
    version = page_version.current() if key is not None else ""
    return f"{settings.PAGE_CACHE_EDITION} {version} {key}" if version else None


def _is_a_public_page(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).namespaces in (["labels"], ["api"])
    except Resolver404:
        return False


def _answer(request: HttpRequest, response: HttpResponse, how: str) -> HttpResponse:
    """The answer, or 304 where the visitor has it already; it says where it came from."""
    if response.status_code == 200 and response.headers.get("ETag"):
        answer = get_conditional_response(request, etag=response.headers["ETag"], response=response)
        response = answer if isinstance(answer, HttpResponse) else response
    response.headers[HEADER] = how
    return response
