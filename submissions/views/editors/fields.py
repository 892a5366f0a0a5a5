"""Reads dates of forms: a day means its last minute in UTC, as the label says."""

from __future__ import annotations

from datetime import UTC, date, datetime


def end_of_day(text: str | None) -> datetime | None:
    """23:59 UTC of a day such as '2027-01-08'; None for anything else."""
    try:
        day = date.fromisoformat((text or "").strip())
        return datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC)
    except ValueError:
        return None


def key_of(text: str | None) -> int:
    """A row's key from a form; 0, which no row has, for anything that is no number."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
