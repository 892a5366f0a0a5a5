"""One model over releases as SVG: dots with ranges on a time axis, and lines where nothing may be compared across.

Dots are not joined: two releases are no trend. Positions across are percentages of the width, so that the words keep
their size on any screen; only our own numbers and words go in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from labels.bands import Rate, is_hollow
from labels.charts.dots import DOTS, SCALE
from labels.wording import KINDS, hundred

HEIGHT, TOP, BOTTOM = 220, 26, 180
# Where the first and the last release stand, in percent of the width, and how near two may come.
LEFT, RIGHT, NEAREST, ALONE = 14.0, 90.0, 8.0, 50.0
# Dates nearer than this would run into each other; the table beside the chart has them all.
DATES_APART = 18.0
COLOURS = {"positive": "#0B4F71", "negative": "#B85C00"}


@dataclass(frozen=True)
class Dot:
    """One release's number; `rate` None where it has none. `date_words` stands below."""

    day: date
    date_words: str
    rate: Rate | None


def places(days: Sequence[date]) -> list[float]:
    """Where each day stands across, in percent: by date, never nearer than NEAREST where there is room for that.

    Releases of one single day stand evenly.
    """
    if len(days) < 2:
        return [ALONE] * len(days)
    gap = (RIGHT - LEFT) / (len(days) - 1)
    span = days[-1] - days[0]
    if not span:
        return [LEFT + gap * at for at in range(len(days))]
    found = [LEFT + (RIGHT - LEFT) * ((day - days[0]) / span) for day in days]
    gap = min(NEAREST, gap)
    for at in range(1, len(found)):
        found[at] = max(found[at], found[at - 1] + gap)
    if found[-1] > RIGHT:
        found[-1] = RIGHT
        for at in range(len(found) - 2, -1, -1):
            found[at] = min(found[at], found[at + 1] - gap)
    return found


def history(polarity: str, dots: Sequence[Dot], breaks: Sequence[bool], *, title: str, description: str) -> SafeString:
    """The chart of one kind, oldest first; `breaks[i]` says that dots i and i + 1 may not be compared."""
    name = f"hist-{KINDS[polarity].slug}"
    head = (
        f'<svg class="hist" width="100%" height="{HEIGHT}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{conditional_escape(title)}</title>'
        f'<desc id="{name}-d">{conditional_escape(description)}</desc>'
    )
    return mark_safe(f"{head}{body(polarity, dots, breaks)}</svg>")  # noqa: S308  (numbers, and words that are escaped)


def body(polarity: str, dots: Sequence[Dot], breaks: Sequence[bool]) -> str:
    """What is inside of the chart."""
    across = places([dot.day for dot in dots])
    lines = [_break((a + b) / 2) for (a, b), is_break in zip(pairwise(across), breaks, strict=True) if is_break]
    marks = [_dot(at, dot.rate) for at, dot in zip(across, dots, strict=True) if dot.rate]
    return (
        _axis()
        + "".join(lines)
        + f'<g class="{KINDS[polarity].slug}" color="{COLOURS[polarity]}">{"".join(marks)}</g>'
        + _dates(across, dots)
    )


def _axis() -> str:
    return "".join(
        f'<line x1="8%" x2="97%" y1="{_y(x / 100):g}" y2="{_y(x / 100):g}" stroke="currentColor" '
        f'stroke-opacity="{0.5 if x == 0 else 0.16}"/>'
        f'<text x="6.5%" y="{_y(x / 100) + 4.5:g}" text-anchor="end" font-size="13" fill="currentColor">{x}</text>'
        for x in SCALE
    )


def _break(at: float) -> str:
    return (
        f'<line class="hist-break" x1="{at:.1f}%" x2="{at:.1f}%" y1="{TOP - 10}" y2="{BOTTOM}" stroke="currentColor" '
        'stroke-width="1.5" stroke-dasharray="5 4"/>'
    )


def _dot(at: float, rate: Rate) -> str:
    if rate.pass_rate is None:
        return ""
    y = _y(rate.pass_rate)
    look = 'fill="#fff" stroke="currentColor" stroke-width="2"' if is_hollow(rate.n_judged) else 'fill="currentColor"'
    top = _y(rate.pass_rate if rate.ci_high is None else rate.ci_high)
    return (
        _bar(at, rate.ci_low, rate.ci_high, 2)
        + _bar(at, rate.ci50_low, rate.ci50_high, 8)
        + f'<svg x="{at:.1f}%" y="{y:.1f}" width="1" height="1" overflow="visible"><path d="{DOTS[rate.polarity]}" '
        f'{look}/></svg><text x="{at:.1f}%" y="{min(top - 5, y - 12):.1f}" text-anchor="middle" font-size="15" '
        f'font-weight="700" fill="currentColor">{hundred(rate.pass_rate)}</text>'
    )


def _bar(at: float, low: float | None, high: float | None, width: int) -> str:
    if low is None or high is None:
        return ""
    return (
        f'<line x1="{at:.1f}%" x2="{at:.1f}%" y1="{_y(low):.1f}" y2="{_y(high):.1f}" stroke="currentColor" '
        f'stroke-width="{width}"/>'
    )


def _dates(across: Sequence[float], dots: Sequence[Dot]) -> str:
    words, last = [], -DATES_APART
    for at, dot in zip(across, dots, strict=True):
        if at - last >= DATES_APART:
            words.append(
                f'<text x="{at:.1f}%" y="{HEIGHT - 18}" text-anchor="middle" font-size="13" fill="currentColor">'
                f"{conditional_escape(dot.date_words)}</text>"
            )
            last = at
        words.append(f'<line x1="{at:.1f}%" x2="{at:.1f}%" y1="{BOTTOM}" y2="{BOTTOM + 6}" stroke="currentColor"/>')
    return "".join(words)


def _y(rate: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * rate
