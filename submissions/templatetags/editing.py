"""Dates of the editors' lists in UTC, and values of form fields beside them."""

from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils import timezone

from submissions.selectors.cases import n_to_publish
from submissions.selectors.outbox import n_waiting

register = template.Library()


@register.simple_tag
def letters_waiting(user: Any) -> int:
    """How many letters of decisions wait or are held, of those that the user may know of."""
    return n_waiting(user)


@register.simple_tag
def cases_to_publish(user: Any) -> int:
    """How many case studies wait for this editor, as the second one."""
    return n_to_publish(user)


@register.filter
def utc_due(moment: datetime | None) -> str:
    """'today', '3 December' or '27 November, 2 days over', counted in UTC; '' for none."""
    if moment is None:
        return ""
    there, now = moment.astimezone(UTC), timezone.now()
    days = (now.astimezone(UTC).date() - there.date()).days
    if days == 0:
        return "today" if moment > now else "today, over"
    return f"{utc_day(moment)}, {days} day{'' if days == 1 else 's'} over" if days > 0 else utc_day(moment)


@register.filter
def utc_day(moment: datetime | None) -> str:
    """'3 December', with the year where it is another one; '' for none."""
    if moment is None:
        return ""
    there = moment.astimezone(UTC)
    year = f" {there.year}" if there.year != timezone.now().astimezone(UTC).year else ""
    return f"{there.day} {there:%B}{year}"


@register.filter
def utc_moment(moment: datetime | None) -> str:
    """'3 December, 22:40 UTC'; '' for none."""
    return f"{utc_day(moment)}, {moment.astimezone(UTC):%H:%M} UTC" if moment is not None else ""


@register.filter
def utc_date_value(moment: datetime | None) -> str:
    """'2026-12-03', as a date field wants it; '' for none."""
    return f"{moment.astimezone(UTC):%Y-%m-%d}" if moment is not None else ""
