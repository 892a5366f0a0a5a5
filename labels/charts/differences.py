"""Differences as inline SVG: a dot and its interval around zero, on a scale of percentage points or of coefficients.

Positions are percentages of the width, as in `labels.charts.dots`; only our own numbers and words go in.
"""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

STEPS = (5, 10, 20, 40, 60, 80, 100)


@dataclass(frozen=True)
class Difference:
    """A difference (or coefficient) between -1 and 1 with its interval, if it has one; `kind` colours it."""

    value: float
    low: float | None = None
    high: float | None = None
    kind: str = ""


def reach_of(differences: list[Difference]) -> int:
    """The end of a scale of percentage points that holds them all."""
    ends = [abs(end) * 100 for one in differences for end in (one.value, one.low, one.high) if end is not None]
    return next((step for step in STEPS if step >= max(ends, default=0)), STEPS[-1])


def difference(one: Difference | None, *, reach: int) -> SafeString:
    """One difference on a scale of points from -reach to +reach, hidden from screen readers: its words stand beside."""
    lines = "".join(
        f'<line class="{"zero" if x == 50 else "tick"}" x1="{x}%" x2="{x}%" y1="0" y2="100%"/>'
        for x in (0, 25, 50, 75, 100)
    )
    kind = f" {one.kind}" if one and one.kind else " ink"
    marks = "" if one is None else _marks(one, reach)
    return mark_safe(f'<svg class="di{kind}" aria-hidden="true" focusable="false">{lines}{marks}</svg>')  # noqa: S308  (numbers and our own words only)


def difference_scale(reach: int, *, coefficients: bool = False) -> SafeString:
    """The numbers along the pictures; `coefficients` writes -1 to 1 instead of points."""
    shares = (-1, -0.5, 0, 0.5, 1)
    words = [f"{share:g}" if coefficients else f"{share * reach:+g}" for share in shares]
    numbers = "".join(f"<span>{word.replace('-', chr(0x2212)).replace('+0', '0')}</span>" for word in words)
    return mark_safe(f'<div class="scale" aria-hidden="true">{numbers}</div>')  # noqa: S308  (our own words only)


def _marks(one: Difference, reach: int) -> str:
    bar = ""
    if one.low is not None and one.high is not None:
        low, high = _at(one.low, reach), _at(one.high, reach)
        bar = (
            f'<rect class="wide" x="{low:.1f}%" width="{high - low:.1f}%" y="50%" height="2" '
            'transform="translate(0 -1)"/>'
        )
    return bar + (
        f'<svg x="{_at(one.value, reach):.1f}%" y="50%" width="1" height="1" overflow="visible">'
        '<circle class="dot" r="5"/></svg>'
    )


def _at(value: float, reach: int) -> float:
    """Where a difference stands, in percent of the width."""
    return min(max(50 + value * 100 / reach * 50, 0.0), 100.0)
