"""Moments in the reader's own words, and the distance in days, for the pages of authors."""

from datetime import datetime
from typing import Any

from django import template

from impactbench.common.moments import when

register = template.Library()


@register.filter
def moment(at: datetime, user: Any) -> str:
    """'Friday 8 January 2027, 23:59 UTC. For you that is Saturday, 00:59.'"""
    return when(at, user)


@register.filter
def within(days: int) -> str:
    """'in 15 days', 'today', '2 days over'."""
    if days < 0:
        return f"{-days} day{'s' if days < -1 else ''} over"
    return "today" if days == 0 else f"in {days} day{'s' if days > 1 else ''}"
