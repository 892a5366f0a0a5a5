"""A finished page: its bytes, encoded once, and every header."""

import time
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from impactbench.page_cache.keys import VARIES_BY

LARGEST = 512 * 1024
# Changes make kept pages unreachable at once; should one be missed, it is not missed for longer.
OLDEST_SECONDS = 300


@dataclass(frozen=True, slots=True)
class KeptPage:
    """What is sent again, byte by byte."""

    headers: dict[str, str]
    body: bytes
    made_at: float = field(default_factory=time.time)

    @property
    def is_fresh(self) -> bool:
        return 0 <= time.time() - self.made_at < OLDEST_SECONDS

    def response(self) -> HttpResponse:
        return HttpResponse(self.body, headers=self.headers)


def kept_page(request: HttpRequest, response: HttpResponseBase) -> KeptPage | None:
    """The page to be kept of an answer; None for one that may be for this visitor alone, or that is too large."""
    if request.method != "GET" or response.status_code != 200 or not isinstance(response, HttpResponse):
        return None
    if response.cookies or _is_private(response) or not _varies_by_what_is_known(response):
        return None
    if len(response.content) > LARGEST:
        return None
    return KeptPage(dict(response.headers.items()), response.content)


def _is_private(response: HttpResponse) -> bool:
    # `no-cache` and ages are for caches that cannot know when a page changes; this one does (common.page_version).
    words = {word.strip().lower() for word in response.headers.get("Cache-Control", "").split(",")}
    return bool(words & {"private", "no-store"})


def _varies_by_what_is_known(response: HttpResponse) -> bool:
    return {name.strip().lower() for name in response.headers.get("Vary", "").split(",")} - {""} <= VARIES_BY
