"""Filters for text that models, judges, simulated users and sources wrote."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from labels import transcripts

register = template.Library()


@register.filter
def visible(text: object) -> str:
    """The text with hidden and reordering characters spelled out; the template escapes it."""
    return transcripts.visible(str(text)) if text not in (None, "") else ""


@register.filter
def rendered(text: str | None) -> SafeString:
    """The text as harmless HTML."""
    return transcripts.render(text)


@register.filter
def paragraphs(text: str | None) -> SafeString:
    """The text as paragraphs, its own marks untouched."""
    parts = [part.strip() for part in transcripts.visible(text).split("\n\n") if part.strip()]
    return format_html_join("", '<p class="lines" dir="auto">{}</p>', ((part,) for part in parts))


@register.filter
def exact(text: str | None) -> SafeString:
    """A rubric as the judge reads it: its headings bold, everything else as it is written, links not live."""
    parts = [part.strip() for part in transcripts.visible(text).split("\n\n") if part.strip()]
    return format_html_join("", "{}", ((_heading_or_lines(part),) for part in parts))


def _heading_or_lines(part: str) -> SafeString:
    if part.startswith("## ") and "\n" not in part:
        return format_html("<p><strong>{}</strong></p>\n", part.removeprefix("## "))
    return format_html('<p class="lines" dir="auto">{}</p>\n', part)


@register.filter
def source(value: object) -> str | SafeString:
    """A source or citation in words, a link where it has an http(s) address."""
    if not isinstance(value, dict):
        return transcripts.visible(str(value))
    title = transcripts.visible(str(value.get("title") or value.get("url") or value.get("doi") or "Untitled"))
    doi = value.get("doi")
    address = str(value.get("url") or (f"https://doi.org/{doi}" if doi else ""))
    if not address.startswith(("http://", "https://")):
        return title
    return format_html('<a href="{}" rel="nofollow noopener ugc">{}</a>', address, title)
