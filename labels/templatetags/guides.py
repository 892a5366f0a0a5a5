"""The guides for the footer, which every page has."""

from django import template

from labels.guides import GUIDES, Guide

register = template.Library()


@register.simple_tag
def site_guides() -> tuple[Guide, ...]:
    """All guides in their order."""
    return GUIDES
