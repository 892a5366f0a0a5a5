"""One id for each request: on its answer, in its audit events and in its log lines."""

import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-Id"
_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """The id of the request that is being answered; empty in commands and workers."""
    return _current.get()


def request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id of our own making; one that a client sends is not trusted."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = _current.set(uuid.uuid4().hex)
        try:
            response = get_response(request)
            response.headers[HEADER] = _current.get()
        finally:
            _current.reset(token)
        return response

    return middleware
