"""Addresses that lead nowhere, with something better to go to."""

from collections.abc import Iterable

from django.http import Http404
from django.utils.translation import gettext as _


class PageNotFound(Http404):
    """A page that does not exist: one sentence on why, and links (title, address) that are near to what was asked."""

    def __init__(self, message: str, links: Iterable[tuple[str, str]] = (), links_title: str = ""):
        super().__init__(message)
        self.message = message
        self.links = list(links)
        self.links_title = links_title or _("Perhaps you meant")
