"""How a label goes onto other people's pages: a frame, a picture, lines to copy, and oEmbed for programs that ask.

oEmbed 1.0 (oembed.com): a program asks for an address and how much room it has, and gets what to put there.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from labels.addresses import public_url, query_string

FRAME_WIDTH, FRAME_HEIGHT = 320, 560
BADGE_WIDTH, BADGE_HEIGHT = 320, 120
# How long a program may keep the answer, in seconds: a newer release should show within a day.
CACHE_AGE = 24 * 60 * 60


@dataclass(frozen=True)
class Embedding:
    """The full addresses of one label, with the release pinned where `release` names one."""

    title: str
    page: str
    frame: str
    svg: str
    png: str

    @property
    def iframe(self) -> str:
        """The frame as HTML to copy."""
        return self.frame_html(FRAME_WIDTH, FRAME_HEIGHT)

    @property
    def image(self) -> str:
        """The badge as an HTML picture that leads to the label."""
        return format_html(
            '<a href="{}"><img src="{}" alt="{}" width="{}" height="{}"></a>',
            self.page, self.svg, self.title, BADGE_WIDTH, BADGE_HEIGHT,
        )  # fmt: skip

    @property
    def markdown(self) -> str:
        """The badge as Markdown that leads to the label."""
        text = "".join(f"\\{letter}" if letter in "\\[]`*_<>" else letter for letter in self.title)
        return f"[![{text}]({self.svg})]({self.page})"

    def frame_html(self, width: int, height: int) -> str:
        """The frame in a size in pixels."""
        return format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}"></iframe>', self.frame, self.title, width, height
        )


def embedding(request: HttpRequest, model: str, name: str, *, release: str = "", profile: str = "") -> Embedding:
    """What one puts on a page for the label of `model` (slug), which is called `name`."""
    query = query_string({"release": release, "profile": profile})

    def address(view: str) -> str:
        return public_url(request, reverse(f"labels:{view}", args=[model]) + query)

    return Embedding(
        title=_("AI Nutrition Label for %(name)s") % {"name": name},
        page=address("label"),
        frame=address("label-embed"),
        svg=address("label-svg"),
        png=address("label-png"),
    )


def oembed(request: HttpRequest, shown: Embedding, *, room: tuple[int | None, int | None]) -> dict[str, Any]:
    """The oEmbed answer for a label: the frame where it fits into `room` (width, height), else the badge as a photo.

    The badge keeps its proportions and is never enlarged.
    """
    width, height = room
    shared = {
        "version": "1.0",
        "title": shown.title,
        "provider_name": "ImpactBench",
        "provider_url": public_url(request, "/"),
        "cache_age": CACHE_AGE,
    }
    if (width is None or width >= FRAME_WIDTH) and (height is None or height >= FRAME_HEIGHT):
        return {
            **shared,
            "type": "rich",
            "html": shown.iframe,
            "width": FRAME_WIDTH,
            "height": FRAME_HEIGHT,
            "thumbnail_url": shown.png,
            "thumbnail_width": BADGE_WIDTH * 3,
            "thumbnail_height": BADGE_HEIGHT * 3,
        }
    part = min(1.0, (width or BADGE_WIDTH) / BADGE_WIDTH, (height or BADGE_HEIGHT) / BADGE_HEIGHT)
    size = {"width": round(BADGE_WIDTH * part), "height": round(BADGE_HEIGHT * part)}
    return {**shared, "type": "photo", "url": shown.png, **size}
