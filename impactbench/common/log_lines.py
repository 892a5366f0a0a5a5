"""Lines of the log, for people or for programs: they name the request or the run, and hold nobody's words."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from impactbench.common.request_ids import current_request_id

_run: ContextVar[str] = ContextVar("run", default="")
# PostgreSQL shows the row it refused, with all that somebody wrote; lines of a traceback follow only after these.
_ROW = re.compile(r"^DETAIL:.*?(?=^CONTEXT:|^\n(?:The above|During handling)|\Z)", re.MULTILINE | re.DOTALL)
# The piece of a statement that it could not read, values and all.
_STATEMENT = re.compile(r"^(?:.*: )?LINE \d+:.*$", re.MULTILINE)
# Links that sign in or set a password, in the path that a line is about; and tokens of the API, wherever they stand.
_TOKEN = re.compile(r"(?<=/)[\w:.-]{32,}(?=/)|\bib_[0-9A-Za-z]{38}\b")


@contextmanager
def about_run(slug: str) -> Iterator[None]:
    """Lines that are logged meanwhile name the run."""
    token = _run.set(slug)
    try:
        yield
    finally:
        _run.reset(token)


class LineFormatter(logging.Formatter):
    """A line that ends with its request or run, where there is one, and holds no row of the database and no token."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        line = _without_tokens(super().formatMessage(record))
        named = [
            f"request {current_request_id()}" if current_request_id() else "",
            f"run {_run.get()}" if _run.get() else "",
        ]
        return " ".join([line, *(f"[{name}]" for name in named if name)])

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's name)
        text = _ROW.sub("DETAIL: (left out)\n", super().formatException(ei))
        return _STATEMENT.sub("LINE: (left out)", text).rstrip("\n")


class JsonFormatter(LineFormatter):
    """The same as one JSON object a line: `time` (ISO 8601), `level`, `logger`, `message`, and what there is of
    `request`, `run` and `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_tokens(record.getMessage()),
            "request": current_request_id(),
            "run": _run.get(),
            "exception": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps({name: value for name, value in line.items() if value}, ensure_ascii=False)


def _without_tokens(text: str) -> str:
    return _TOKEN.sub("(token)", text)
