"""The guides and the documentation for the footer, which every page has."""

from django import template
from django.conf import settings

from labels.guides import GUIDES, Guide

register = template.Library()


@register.simple_tag
def site_guides() -> tuple[Guide, ...]:
    """All guides in their order."""
    return GUIDES


@register.simple_tag
def documentation_address() -> str:
    """Where the documentation is; '' where nobody has built it."""
    return "/docs/" if settings.WHITENOISE_ROOT else ""
