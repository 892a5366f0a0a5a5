"""One mark for each metric on the scale from 0 to 100: how the metrics behind one number lie apart."""

from collections import Counter
from collections.abc import Iterable

from django.utils.safestring import SafeString, mark_safe

from labels.wording import KINDS, hundred

# Distance of marks that share a place, in pixels, and how many stand side by side before the pile grows.
STEP = 8
SIDE_BY_SIDE_FROM = ((40, 3), (12, 2), (0, 1))
MARKS = {"positive": "M{x} {y}l3.4 6.2h-6.8z", "negative": "M{x} {y}l3.4 3.4-3.4 3.4-3.4-3.4z"}
FOOT = 4


def metric_dots(polarity: str, rates: Iterable[float], whole: float | None = None) -> SafeString:
    """The marks piled up over their whole number of 100, and a line at the rate of all together.

    Hidden from screen readers: the table of the metrics stands beside it.
    """
    piles = Counter(hundred(rate) for rate in rates)
    highest = max((-(-n // _side_by_side(n)) for n in piles.values()), default=1)
    height = highest * STEP + 2 * FOOT
    body = "".join(_pile(polarity, int(x), n, height) for x, n in sorted(piles.items(), key=lambda pile: int(pile[0])))
    ticks = "".join(f'<line class="tick" x1="{x}%" x2="{x}%" y1="0" y2="100%"/>' for x in range(0, 101, 20))
    line = "" if whole is None else f'<line class="whole" x1="{whole:.1%}" x2="{whole:.1%}" y1="0" y2="100%"/>'
    return mark_safe(  # noqa: S308  (numbers and our own words only)
        f'<svg class="metric-dots {KINDS[polarity].slug}" height="{height}" aria-hidden="true" focusable="false">'
        f"{ticks}{line}{body}</svg>"
    )


def _pile(polarity: str, x: int, n: int, height: int) -> str:
    """`n` marks over one number, from the foot of the picture upwards."""
    width = _side_by_side(n)
    marks = "".join(
        MARKS[polarity].format(
            x=f"{(at % width - (min(width, n - at // width * width) - 1) / 2) * STEP:g}",
            y=f"{-FOOT - STEP * (at // width) - 6:g}",
        )
        for at in range(n)
    )
    return (
        f'<svg x="{x}%" y="{height}" width="1" height="1" overflow="visible" data-rate="{x}" data-n="{n}">'
        f'<path class="dot" d="{marks}"/></svg>'
    )


def _side_by_side(n: int) -> int:
    return next(width for fewest, width in SIDE_BY_SIDE_FROM if n >= fewest)
