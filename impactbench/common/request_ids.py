"""One id for each request: on its answer, in its audit events and in its log lines, which hold nobody's words."""

import logging
import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-Id"
_current: ContextVar[str] = ContextVar("request_id", default="")
# PostgreSQL shows the row it refused, with all that somebody wrote; lines of a traceback follow only after these.
_ROW = re.compile(r"^DETAIL:.*?(?=^CONTEXT:|^\n(?:The above|During handling)|\Z)", re.MULTILINE | re.DOTALL)
# The piece of a statement that it could not read, values and all.
_STATEMENT = re.compile(r"^(?:.*: )?LINE \d+:.*$", re.MULTILINE)
# Links that sign in or set a password, in the path that a line is about.
_TOKEN = re.compile(r"(?<=/)[\w:.-]{32,}(?=/)")


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


class LineFormatter(logging.Formatter):
    """A log line that ends with its request's id, where there is one, and holds no row of the database and no token."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        line = _TOKEN.sub("(token)", super().formatMessage(record))
        return f"{line} [request {_current.get()}]" if _current.get() else line

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's name)
        text = _ROW.sub("DETAIL: (left out)\n", super().formatException(ei))
        return _STATEMENT.sub("LINE: (left out)", text).rstrip("\n")
