"""What is computed from releases is computed once, for all processes: releases never change, so it is kept for long."""

import hashlib
import logging
from collections.abc import Callable, Sequence
from functools import cache as once_a_process
from pathlib import Path
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

from evaluation.models import Release

logger = logging.getLogger(__name__)
SECONDS = 90 * 24 * 60 * 60
# The code that computes: another edition of it gives other values, perhaps of another shape.
PACKAGE = Path(__file__).resolve().parents[1]
COMPUTING = ("statistics", "selectors")


def name_of(what: str, releases: Sequence[Release], *details: object) -> str:
    """The name of a value: what it is, of which releases (their contents included), and all else that it rests on."""
    contents = [(one.pk, one.content_hash, one.resamples, one.seed) for one in releases]
    return f"kept-{what}-{hashlib.sha256(repr((_edition(), contents, details)).encode()).hexdigest()}"


def once(name: str, compute: Callable[[], Any]) -> Any:
    """The value of that name, computed where it is not kept; of our own classes, those of `COMPUTING` only."""
    return once_each([name], lambda _missing: [compute()])[0]


def once_each(names: Sequence[str], compute: Callable[[list[int]], Sequence[Any]]) -> list[Any]:
    """The values of those names; `compute` gets the places of all that are not kept, and gives their values."""
    found = _kept(names)
    missing = [place for place, name in enumerate(names) if name not in found]
    if missing:
        made = {names[place]: value for place, value in zip(missing, compute(missing), strict=True)}
        _keep(made)
        found |= made
    return [found[name] for name in names]


@once_a_process
def _edition() -> str:
    files = sorted(file for part in COMPUTING for file in (PACKAGE / part).rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _kept(names: Sequence[str]) -> dict[str, Any]:
    try:
        return dict(cache.get_many(names)) if names else {}
    except (RedisError, OSError) as error:
        logger.warning("what releases tell is computed anew while the cache does not answer: %s", error)
        return {}


def _keep(values: dict[str, Any]) -> None:
    try:
        cache.set_many(values, timeout=SECONDS)
    except (RedisError, OSError) as error:
        logger.warning("what was computed of a release is not kept, as the cache does not answer: %s", error)
