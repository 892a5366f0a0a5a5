"""What a page says of itself to search engines and link previews: its one address, its title again, its data."""

import json
from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from labels import addresses
from labels.context import State

register = template.Library()

# As in Django's json_script: with these no text can end the element or begin another.
IN_ELEMENT = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@register.simple_tag
def canonical_address(request: HttpRequest | None, state: State | None = None) -> str:
    """The one full address of what a public page shows; nothing for pages that are not public and for errors."""
    match = getattr(request, "resolver_match", None)
    if request is None or not state or match is None or match.app_name != "labels":
        return ""
    return addresses.public_url(request, request.path + addresses.canonical_query(request, state))


@register.simple_tag(takes_context=True)
def again(context: Context, name: str) -> str:
    """A block of the page once more, as it stands there: empty where no template fills it."""
    blocks = context.render_context.get(BLOCK_CONTEXT_KEY)
    block = blocks.get_block(name) if blocks else None
    return "" if block is None else block.render(context)


@register.simple_tag
def data_block(data: dict[str, Any] | None) -> SafeString | str:
    """Linked data (JSON-LD) as an element that browsers do not run; nothing for None."""
    if data is None:
        return ""
    text = json.dumps(data, ensure_ascii=False, default=str).translate(IN_ELEMENT)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308  (no character that HTML knows is left)
