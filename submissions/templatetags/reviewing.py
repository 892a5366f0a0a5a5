"""Days until something is due, and the mark of a kind, for the pages of reviewers and editors."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from submissions.composition import messages_with_turns
from submissions.content import Content, UserMessage

register = template.Library()


@register.filter
def with_turns(content: Content) -> list[tuple[UserMessage, int]]:
    """The messages of a text, each with the turn it comes at."""
    return messages_with_turns(content)


@register.filter
def due(moment: datetime) -> str:
    """'5 December, in 6 days', in the reader's time zone, which the session has made the current one."""
    there = timezone.localtime(moment)
    days = (there.date() - timezone.localdate()).days
    return f"{day(moment)}, {_distance(days)}"


@register.filter
def day(moment: datetime) -> str:
    """'5 December', with the year where it is another one."""
    there = timezone.localtime(moment)
    year = f" {there.year}" if there.year != timezone.localdate().year else ""
    return f"{there.day} {there:%B}{year}"


@register.simple_tag
def kind_mark(polarity: str) -> SafeString:
    """The triangle or diamond of a kind; decoration only, so its word must stand beside it."""
    if polarity not in ("positive", "negative"):
        return SafeString("")
    css, symbol = ("promote", "m-up") if polarity == "positive" else ("avoid", "m-di")
    return format_html('<svg class="mark p-mark {}" aria-hidden="true"><use href="#{}"/></svg>', css, symbol)


def _distance(days: int) -> str:
    if days < 0:
        return f"{-days} day{'s' if days < -1 else ''} over"
    return {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")
