"""One word for everything that public pages show: it changes whenever any of that does, so kept pages know their age.

Nobody has to remember to say so: every process watches its own writes (`watch_writes`). `bump` is for the few that
`watch_writes` leaves out.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
KEY = "page-version"
# How long a process may go on with the version it knows: asking the cache each time would halve its speed.
SECONDS_BETWEEN_LOOKS = 1.0
_WRITE = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
# (version, when it was looked up)
_NOTHING = ("", float("-inf"))
_known: tuple[str, float] = _NOTHING


def current() -> str:
    """The version, at most a second old; empty while the cache does not answer, when nothing may be kept."""
    global _known
    version, looked_at = _known
    if time.monotonic() - looked_at < SECONDS_BETWEEN_LOOKS:
        return version
    try:
        version = str(cache.get_or_set(KEY, _new, timeout=None))
    except (RedisError, OSError) as error:
        logger.warning("pages are not kept while the cache does not answer: %s", error)
        version = ""
    _known = (version, time.monotonic())
    return version


def look_again() -> None:
    """Forget the version, so that the next question goes to the cache."""
    global _known
    _known = _NOTHING


def bump(using: str | None = None) -> None:
    """Let no kept page outlive the transaction that this belongs to; at once for this process, in a second for all."""
    waiting = transaction.get_connection(using).run_on_commit
    if not any(entry[1] is _renew for entry in waiting):
        # Robust: a cache that is away must not take back what was written.
        transaction.on_commit(_renew, using=using, robust=True)


def _renew() -> None:
    global _known
    version = _new()
    cache.set(KEY, version, timeout=None)
    _known = (version, time.monotonic())


def _new() -> str:
    """No counter: a cache that lost its memory must not come back to a version that was there before."""
    return uuid.uuid4().hex


# --- Watching


def watch_writes(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Receiver of `connection_created`: bump with every write to a table that public pages show."""
    if _watch not in connection.execute_wrappers:
        connection.execute_wrappers.append(_watch)


def _watch(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    result = execute(sql, params, many, context)
    if settings.PAGE_VERSION_FOLLOWS_WRITES and isinstance(sql, str) and writes_what_is_shown(sql):
        bump(context["connection"].alias)
    return result


def writes_what_is_shown(sql: str) -> bool:
    """Whether a statement writes to one of SHOWN_TABLES that is not in TABLES_IN_MOTION."""
    write = _WRITE.match(sql)
    if write is None:
        return False
    table = write[1]
    return table.startswith(settings.SHOWN_TABLES) and table not in settings.TABLES_IN_MOTION
