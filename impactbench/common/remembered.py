"""What public answers look up again and again, kept in this process until anything that they show changes."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.conf import settings

from impactbench.common import page_version

MOST = 2_048
P = ParamSpec("P")
T = TypeVar("T")


def remembered(function: Callable[P, T]) -> Callable[P, T]:
    """The function, asked once for the same positional arguments under one version of all pages.

    For what many requests only read: all of them get the same object. An error is not remembered, nor is anything
    where finished pages are not kept either (PAGE_CACHE).
    """
    # (version, what was found under it); replaced as one, so that no thread mixes two versions.
    known: tuple[str, dict[Hashable, T]] = ("", {})

    @wraps(function)
    def lookup(*args: P.args, **kwargs: P.kwargs) -> T:
        nonlocal known
        version = page_version.current() if settings.PAGE_CACHE and not kwargs else ""
        if not version:
            return function(*args, **kwargs)
        if known[0] != version or len(known[1]) >= MOST:
            known = (version, {})
        # Read before the function runs: what changes meanwhile is found under a version that nobody asks for again.
        found = known[1]
        if args not in found:
            found[args] = function(*args, **kwargs)
        return found[args]

    return lookup
