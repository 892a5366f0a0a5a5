"""How often a person may save: far more than anybody types, and little enough for the database."""

from typing import Any

from django.core.cache import cache

SAVES_A_MINUTE = 90
TOO_OFTEN = "You saved very often within a minute. Your text is kept on this page; save again in a minute."


def saves_too_often(user: Any) -> bool:
    """Count one save of this person; True when it is one too many within a minute."""
    key = f"draft-saves:{user.pk}"
    cache.add(key, 0, timeout=60)
    try:
        return int(cache.incr(key)) > SAVES_A_MINUTE
    except ValueError:  # it ran out between the two lines
        return False
