"""Moments in words: always in UTC, and in the reader's own time zone beside it."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import translation
from django.utils.dateformat import format as date_text


def when(moment: datetime, user: Any) -> str:
    """`moment` in words for `user`, whose `time_zone` is an IANA name; UTC alone for a person without one."""
    return when_in(moment, getattr(user, "time_zone", None) or "UTC")


def when_in(moment: datetime, zone_name: str) -> str:
    """'Friday 8 January 2027, 23:59 UTC. For you that is Saturday, 00:59.'; an unknown zone counts as UTC."""
    there = moment.astimezone(UTC)
    here = moment.astimezone(zone(zone_name))
    # The sentence is English, and so are its days and months, whatever language the one who causes it reads.
    with translation.override("en"):
        text = f"{date_text(there, 'l j F Y, H:i')} UTC."
        day = "" if here.date() == there.date() else f"{date_text(here, 'l')}, "
    if here.utcoffset() == there.utcoffset():
        return text
    return f"{text} For you that is {day}{date_text(here, 'H:i')}."


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name; UTC for a name that nobody knows."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
