"""Counting in the cache: how often something happened within a stretch of time."""

from django.core.cache import cache


def tally(name: str, seconds: int) -> int:
    """Count one more and say how many it are since the first of the last `seconds`; raises what the cache raises."""
    key = f"tally:{name}"
    cache.add(key, 0, timeout=seconds)
    try:
        return int(cache.incr(key))
    except ValueError:  # it ran out between the two calls
        cache.set(key, 1, timeout=seconds)
        return 1
