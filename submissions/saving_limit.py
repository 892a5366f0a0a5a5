"""How often a person may save: far more than anybody types, and little enough for the database."""

from typing import Any

from impactbench.common.tally import tally

SAVES_A_MINUTE = 90
TOO_OFTEN = "You saved very often within a minute. Your text is kept on this page; save again in a minute."


def saves_too_often(user: Any) -> bool:
    """Count one save of this person; True when it is one too many within a minute."""
    return tally(f"draft-saves:{user.pk}", 60) > SAVES_A_MINUTE
