"""Where pages are kept: in this process, bounded by bytes, and behind it in the cache that all processes share."""

import logging
import threading
import zlib
from collections import OrderedDict

from django.core.cache import cache
from redis.exceptions import RedisError

from impactbench.page_cache.kept import OLDEST_SECONDS, KeptPage

logger = logging.getLogger(__name__)
BYTES_IN_PROCESS = 32 * 1024 * 1024
# What the headers and the bookkeeping of a page cost about, beside its body.
BYTES_BESIDE = 2_048
# Each page has its place among so many, and the next one that belongs there takes it: strange addresses cannot fill it.
SHARED_PLACES = 8_192


class InProcess:
    """The pages that were asked for last, up to so many bytes; safe to use from several threads."""

    def __init__(self, most_bytes: int = BYTES_IN_PROCESS) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[str, KeptPage] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, name: str) -> KeptPage | None:
        """The page of that name."""
        with self._lock:
            page = self._pages.get(name)
            if page is not None:
                self._pages.move_to_end(name)
            return page

    def put(self, name: str, page: KeptPage) -> None:
        """Keep a page, and let go of those that nobody asked for longest."""
        with self._lock:
            self._forget(name)
            self._pages[name] = page
            self._bytes += _size(page)
            while self._bytes > self._most_bytes:
                self._forget(next(iter(self._pages)))

    def clear(self) -> None:
        """Forget all pages."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def _forget(self, name: str) -> None:
        page = self._pages.pop(name, None)
        self._bytes -= _size(page) if page else 0


def _size(page: KeptPage) -> int:
    return len(page.body) + BYTES_BESIDE


in_process = InProcess()


def find(name: str, *, is_shared: bool = True) -> KeptPage | None:
    """The page of that name, if it is kept and not too old; `is_shared` also asks what all processes share."""
    page = in_process.get(name)
    if page is None and is_shared:
        page = _shared(name)
        if page is not None:
            in_process.put(name, page)
    return page if page is not None and page.is_fresh else None


def keep(name: str, page: KeptPage, *, is_shared: bool = True) -> None:
    """Keep a page for this process and, if `is_shared`, for all others."""
    in_process.put(name, page)
    if not is_shared:
        return
    try:
        # Plain values, which another edition of this code can read as well.
        cache.set(_place(name), (name, page.headers, page.body, page.made_at), timeout=OLDEST_SECONDS)
    except (RedisError, OSError) as error:
        logger.warning("a page was kept for one process only: %s", error)


def _shared(name: str) -> KeptPage | None:
    try:
        found = cache.get(_place(name))
    except (RedisError, OSError) as error:
        logger.warning("kept pages cannot be asked for: %s", error)
        return None
    return KeptPage(*found[1:]) if found is not None and found[0] == name else None


def _place(name: str) -> str:
    return f"page-{zlib.crc32(name.encode()) % SHARED_PLACES}"
