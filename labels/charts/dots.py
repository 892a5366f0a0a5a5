"""Dot and interval as inline SVG: the thin line holds 95 in 100 repeats, the thick part the middle half.

The scale is always 0 to 100, in percentages of the width, so that a picture fits any column. Only presentation
attributes and classes are used: a strict style policy holds.
"""

from collections.abc import Iterable, Sequence

from django.utils.safestring import SafeString, mark_safe

from labels.bands import Rate, is_hollow
from labels.wording import KINDS

# Polarity: path of the dot around its centre.
DOTS = {"positive": "M0 -7 6.8 5.6H-6.8z", "negative": "M0 -7 7 0 0 7 -7 0z"}
# The numbers of the scale: each has its grid line.
SCALE = tuple(range(0, 101, 20))
# Distance between the lines of one picture, in pixels.
LINE_GAP = 24
RULER_BASE = 25.5


def dot_interval(rate: Rate | None, *, ruler: bool = False) -> SafeString:
    """One number as a picture, hidden from screen readers: its words stand beside it. None draws the scale alone."""
    scale = _ruler() if ruler else _ticks()
    body = "" if rate is None else _marks(rate, shift=-5 if ruler else 0)
    kind = "" if rate is None else f" {KINDS[rate.polarity].slug}"
    return _picture(scale + body, f"{kind}{' di-rule' if ruler else ''}", data_attributes(rate))


def stacked_intervals(rates: Sequence[Rate | None]) -> SafeString:
    """Several numbers on one scale, one line each, from the top; a missing one leaves its line empty."""
    first = -LINE_GAP * (len(rates) - 1) / 2
    lines = [
        f'<g class="{KINDS[rate.polarity].slug}"{data_attributes(rate)}>'
        f"{_marks(rate, shift=first + LINE_GAP * position)}</g>"
        for position, rate in enumerate(rates)
        if rate is not None
    ]
    return _picture(_ticks() + "".join(lines), "")


def overlaid_intervals(rates: Iterable[Rate | None]) -> SafeString:
    """Several numbers on one line: the two kinds, which shape and colour keep apart."""
    lines = [
        f'<g class="{KINDS[rate.polarity].slug}"{data_attributes(rate)}>{_marks(rate, shift=0)}</g>'
        for rate in rates
        if rate is not None
    ]
    return _picture(_ticks() + "".join(lines), "")


def ranged_interval(rate: Rate | None, low: float | None, high: float | None) -> SafeString:
    """One number with the range of several models behind it, as a pale strip."""
    strip = _bar("span", low, high, height=16, shift=0)
    kind = "" if rate is None else f" {KINDS[rate.polarity].slug}"
    return _picture(_ticks() + strip + ("" if rate is None else _marks(rate, shift=0)), kind)


def linked_intervals(a: Rate, b: Rate) -> SafeString:
    """Two numbers on one line with the way between them: the gap."""
    low, high = sorted((a.pass_rate or 0.0, b.pass_rate or 0.0))
    link = _bar("span", low, high, height=6, shift=0) if a.pass_rate is not None and b.pass_rate is not None else ""
    lines = (f'<g class="{KINDS[rate.polarity].slug}">{_marks(rate, shift=0)}</g>' for rate in (a, b))
    return _picture(_ticks() + link + "".join(lines), "")


def scale() -> SafeString:
    """The numbers along the pictures, hidden from screen readers; it must be as wide as they are."""
    numbers = "".join(f"<span>{x}</span>" for x in SCALE)
    return mark_safe(f'<div class="scale" aria-hidden="true">{numbers}</div>')  # noqa: S308  (our own words only)


def data_attributes(rate: Rate | None) -> SafeString:
    """The numbers that a mark stands for, as the API has them, so that pictures and tables can be compared."""
    if rate is None or rate.pass_rate is None:
        return SafeString("")
    numbers = {"rate": rate.pass_rate, "low": rate.ci_low, "high": rate.ci_high, "n": rate.n_judged}
    return mark_safe("".join(f' data-{name}="{number!r}"' for name, number in numbers.items() if number is not None))  # noqa: S308  (numbers only)


def _picture(body: str, classes: str, data: str = "") -> SafeString:
    return mark_safe(f'<svg class="di{classes}"{data} aria-hidden="true" focusable="false">{body}</svg>')  # noqa: S308  (numbers and our own words only)


def _ticks() -> str:
    return "".join(f'<line class="tick" x1="{x}%" x2="{x}%" y1="0" y2="100%"/>' for x in SCALE)


def _ruler() -> str:
    ticks = "".join(
        f'<line class="rule" x1="{x}%" x2="{x}%" y1="{20 if x in SCALE else 23}" y2="26"/>' for x in range(0, 101, 10)
    )
    return f'<line class="rule" x1="0" x2="100%" y1="{RULER_BASE}" y2="{RULER_BASE}"/>{ticks}'


def _marks(rate: Rate, *, shift: float) -> str:
    """The interval and the dot of one number; nothing where there is no number."""
    if rate.pass_rate is None:
        return ""
    dot = "dot dot-o" if is_hollow(rate.n_judged) else "dot"
    return (
        _bar("wide", rate.ci_low, rate.ci_high, height=2, shift=shift)
        + _bar("core", rate.ci50_low, rate.ci50_high, height=8, shift=shift)
        + f'<svg x="{rate.pass_rate * 100:.1f}%" y="50%" width="1" height="1" overflow="visible">'
        f'<path class="{dot}" d="{DOTS[rate.polarity]}" transform="translate(0 {shift:g})"/></svg>'
    )


def _bar(name: str, low: float | None, high: float | None, *, height: int, shift: float) -> str:
    if low is None or high is None:
        return ""
    return (
        f'<rect class="{name}" x="{low * 100:.1f}%" width="{(high - low) * 100:.1f}%" y="50%" height="{height}" '
        f'transform="translate(0 {shift - height / 2:g})"/>'
    )
