"""The label as a small picture: 320 by 120 SVG, the same as PNG, and on a field of the size that shared links show."""

import re
from pathlib import Path

import resvg_py
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from labels.cells import Cell
from labels.label import Headline, Label
from labels.wording import LIMITS, SHORT_LIMITS, in_words

FONTS = Path(__file__).parent / "fonts"
FONT_FILES = [str(FONTS / "Arimo_400Regular.ttf"), str(FONTS / "Arimo_700Bold.ttf")]
# The PNG has three times the size, so that it is sharp when a page enlarges it or a printer prints it.
PNG_ZOOM = 3
# Open Graph pictures: the badge in the middle of a field of this size.
SHARE_WIDTH, SHARE_HEIGHT, SHARE_ZOOM = 1200, 630, 3.375

# The ruler of a line, in the picture's units.
RULER_LEFT, RULER_WIDTH = 117, 90
NAME_CHARACTERS = 23
LAST_LINE_CHARACTERS = 68
# XML 1.0 allows no other control characters, not even escaped.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


def badge_svg(label: Label, address: str, *, is_superseded: bool = False) -> str:
    """The badge as a whole SVG document; `address` is where the label stands, shown without its scheme.

    A superseded label says that a newer result exists, and one of over a year that it is old.
    """
    context = {
        "title": f"AI Nutrition Label for {label.model.name}: {_headings(label)}",
        "description": " ".join(_description(label)),
        "name": _cut(label.model.name, NAME_CHARACTERS),
        "lines": [_line(headline, y) for headline, y in zip(label.headlines, (44, 67), strict=True)],
        "short_limits": SHORT_LIMITS,
        "last_line": _last_line(label, address, is_superseded=is_superseded),
    }
    return _CONTROL.sub("", render_to_string("labels/badge.svg", context))


def badge_png(label: Label, address: str, *, is_superseded: bool = False) -> bytes:
    """The same picture as PNG, 960 by 360, drawn with our own fonts."""
    return _drawn(badge_svg(label, address, is_superseded=is_superseded), zoom=PNG_ZOOM)


def share_png(label: Label, address: str, *, is_superseded: bool = False) -> bytes:
    """The badge on a white field of 1200 by 630, as services show it beside a shared link."""
    left, top = (SHARE_WIDTH - 320 * SHARE_ZOOM) / 2, (SHARE_HEIGHT - 120 * SHARE_ZOOM) / 2
    badge = badge_svg(label, address, is_superseded=is_superseded)
    return _drawn(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SHARE_WIDTH}" height="{SHARE_HEIGHT}">'
        f'<rect width="{SHARE_WIDTH}" height="{SHARE_HEIGHT}" fill="#fff"/>'
        f'<g transform="translate({left} {top}) scale({SHARE_ZOOM})">{badge}</g></svg>'
    )


def _drawn(svg: str, *, zoom: int = 1) -> bytes:
    picture = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        skip_system_fonts=True,
        font_files=FONT_FILES,
        font_family="Arimo",
        sans_serif_family="Arimo",
    )
    return bytes(picture)


def _headings(label: Label) -> str:
    return in_words([_heading(headline) for headline in label.headlines])


def _heading(headline: Headline) -> str:
    cell = headline.cell
    number = f"{cell.text} of 100 chats" if cell.has_rate else f"{cell.text} chats" if cell.chats else cell.note
    return f"{headline.kind.name.lower()} in {number}" if cell.chats else f"{headline.kind.name.lower()}: {number}"


def _description(label: Label) -> list[str]:
    """Everything the picture has no room for: ranges, numbers of chats, the limits in full, the release."""
    numbers = [f"{headline.kind.name}: {headline.cell.text}, {headline.cell.note}." for headline in label.headlines]
    partial = [f"Partial: {headline.cell.coverage_words}." for headline in label.headlines if headline.cell.is_partial]
    others = [note for note in label.notes if note not in LIMITS]
    return [*numbers, *partial, *LIMITS, *others, f"Release {label.release.title}."]


def _line(headline: Headline, y: int) -> dict[str, object]:
    """One headline: its place, its words and, where it has a rate, its interval on the ruler."""
    cell = headline.cell
    return {
        "kind": headline.kind,
        "cell": cell,
        "y": y,
        "number_y": y + 7,
        "text_y": y + 4,
        "ruler_y": y + 8,
        "ticks": [RULER_LEFT + RULER_WIDTH * tick // 5 for tick in range(6)],
        **_interval(cell),
    }


def _interval(cell: Cell) -> dict[str, str]:
    result = cell.drawn
    if result is None or result.pass_rate is None:
        return {}
    places = {"dot": f"{RULER_LEFT + RULER_WIDTH * result.pass_rate:.1f}"}
    if result.ci_low is not None and result.ci_high is not None:
        places["left"] = f"{RULER_LEFT + RULER_WIDTH * result.ci_low:.1f}"
        places["width"] = f"{RULER_WIDTH * (result.ci_high - result.ci_low):.1f}"
    return places


def _last_line(label: Label, address: str, *, is_superseded: bool) -> str:
    """What is special, then the release and the address, as far as they fit."""
    release, special = label.release, []
    if release.is_demonstration:
        special.append(_("Demonstration by a tiny model, no finding"))
    if release.status == release.Status.RETRACTED:
        special.append(_("RETRACTED"))
    if is_superseded:
        special.append(_("A newer result exists"))
    if label.is_old:
        special.append(_("Over a year old"))
    if label.is_partial:
        special.append(_("Partial data"))
    parts = [*special, release.title, address.split("://", 1)[-1].split("?", 1)[0]]
    line = parts[0]
    for part in parts[1:]:
        if len(f"{line} · {part}") <= LAST_LINE_CHARACTERS:
            line = f"{line} · {part}"
    return _cut(line, LAST_LINE_CHARACTERS)


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"
