"""The wheel's geometry: two half-rings a subarea, inner for what it promotes and outer for what it avoids.

Lightness is the number, in the five tints of the grid; the white arc is its range, along the slice from 0 to 100.
Nothing else carries uncertainty. Shapes only: templates/labels/_wheel.svg draws them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from evaluation.models import Polarity
from labels.charts.dots import data_attributes
from labels.charts.wheel_names import Lines, is_right, place_names
from labels.numbers import Number
from labels.wording import NO_DATA

WIDTH, HEIGHT = 900, 640
CENTRE_X, CENTRE_Y = WIDTH / 2, HEIGHT / 2
# Polarity: where its ring begins and ends, from the centre.
RINGS = {Polarity.POSITIVE.value: (74, 158), Polarity.NEGATIVE.value: (166, 250)}
# As in static/css/base.css, for a picture that stands alone.
TINTS = {
    Polarity.POSITIVE.value: ("#eaf1f6", "#b9d0e0", "#7fa8c5", "#3f7ba5", "#0b4f71"),
    Polarity.NEGATIVE.value: ("#fbf0e4", "#f0cda3", "#dd9c57", "#b85c00", "#7a3b00"),
}
INK, PAPER = "#111111", "#ffffff"
# Ink on the first three tints, paper on the darker two.
DARK_FROM = 4
AREA_GAP, PART_GAP = 0.06, 0.012
# How far from its ring's inner edge the number and the range arc stand.
NUMBER_AT, RANGE_AT = 34, 68
INDEX_AT, NAME_AT = 268, 268
# A slice narrower than this (at its number) has no room for it; more parts than this leave no room for names.
NARROWEST, MOST_NAMES = 24, 22


@dataclass(frozen=True)
class Slice:
    """What one subarea brings: its name, its address, what a screen reader says, and its number of each kind."""

    name: str
    href: str
    words: str
    numbers: Sequence[tuple[str, Number | None]]


@dataclass(frozen=True)
class Ring:
    """One half-ring of a slice; `range_path` and `text` are empty where there is nothing to draw."""

    polarity: str
    path: str
    fill: str
    ink: str
    text: str
    x: float
    y: float
    range_path: str = ""
    is_partial: bool = False
    is_empty: bool = False
    data: str = ""


@dataclass(frozen=True)
class Part:
    """One subarea as drawn: its rings, its number in the list beside the wheel, and its name's lines."""

    index: int
    name: str
    href: str
    words: str
    rings: list[Ring]
    index_x: float
    index_y: float
    anchor: str
    lines: Lines


def wheel(areas: Sequence[Sequence[Slice]]) -> list[Part]:
    """The slices of every area, clockwise from the top, all of one width; a wider gap parts the areas."""
    areas = [slices for slices in areas if slices]
    n = sum(len(slices) for slices in areas)
    if not n:
        return []
    sweep = (2 * pi - AREA_GAP * len(areas)) / n
    placed: list[tuple[Slice, float, float]] = []
    angle = AREA_GAP / 2
    for slices in areas:
        for one in slices:
            placed.append((one, angle + PART_GAP / 2, angle + sweep - PART_GAP / 2))
            angle += sweep
        angle += AREA_GAP
    names = [(one.name, (start + end) / 2) for one, start, end in placed]
    lines = place_names(names, (CENTRE_X, CENTRE_Y), NAME_AT) if n <= MOST_NAMES else [[]] * n
    return [_part(at, *where, named) for at, (where, named) in enumerate(zip(placed, lines, strict=True), 1)]


def _part(index: int, one: Slice, start: float, end: float, lines: Lines) -> Part:
    middle = (start + end) / 2
    rings = [_ring(polarity, number, start, end) for polarity, number in one.numbers]
    x, y = _point(INDEX_AT, middle)
    anchor = "start" if is_right(middle) else "end"
    return Part(index, one.name, one.href, one.words, rings, x, y, anchor, lines)


def _ring(polarity: str, number: Number | None, start: float, end: float) -> Ring:
    inner, outer = RINGS[polarity]
    path = _sector(inner, outer, start, end)
    x, y = _point(inner + NUMBER_AT, (start + end) / 2)
    has_room = (end - start) * (inner + NUMBER_AT) >= NARROWEST
    if number is None or not number.is_shown:
        return Ring(polarity, path, PAPER, INK, NO_DATA if has_room else "", x, y, is_empty=True)
    return Ring(
        polarity,
        path,
        TINTS[polarity][number.tint - 1],
        PAPER if number.tint >= DARK_FROM else INK,
        number.text if has_room else "",
        x,
        y,
        range_path=_range(number, inner + RANGE_AT, start, end),
        is_partial=number.is_partial,
        data=data_attributes(number.result),
    )


def _range(number: Number, radius: float, start: float, end: float) -> str:
    """The arc from the low to the high end, where the slice's two edges are 0 and 100."""
    low, high = number.result.ci_low, number.result.ci_high
    if low is None or high is None:
        return ""
    margin = 4 / radius
    width = end - start - 2 * margin
    # A range of no width still has to be seen.
    first, last = start + margin + low * width, start + margin + max(high, low + 0.01) * width
    return f"M{_at(radius, first)}{_arc(radius, first, last)}"


def _sector(inner: float, outer: float, start: float, end: float) -> str:
    return f"M{_at(outer, start)}{_arc(outer, start, end)}L{_at(inner, end)}{_arc(inner, end, start, backwards=True)}Z"


def _arc(radius: float, start: float, end: float, *, backwards: bool = False) -> str:
    large = int(abs(end - start) > pi)
    return f"A{radius:g} {radius:g} 0 {large} {int(not backwards)} {_at(radius, end)}"


def _at(radius: float, angle: float) -> str:
    x, y = _point(radius, angle)
    return f"{x:g} {y:g}"


def _point(radius: float, angle: float) -> tuple[float, float]:
    """Clockwise from the top."""
    return round(CENTRE_X + radius * sin(angle), 1), round(CENTRE_Y - radius * cos(angle), 1)
