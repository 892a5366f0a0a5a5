"""Where the names of a wheel's slices stand: outside it on their side, and never over each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sqrt
from textwrap import wrap

# A line's height, and how far its baseline lies below its top.
LINE, BASELINE, LONGEST_LINE = 17, 13, 24
# How far names stay from each other, and from the line between the two sides.
GAP = 2

# (text, x, y) of each line of a name.
Lines = list[tuple[str, float, float]]


@dataclass(frozen=True)
class Box:
    """The lines of one name and the top where they would begin if no other name were there."""

    index: int
    words: list[str]
    top: float

    @property
    def height(self) -> int:
        return LINE * len(self.words)


def is_right(angle: float) -> bool:
    """Whether an angle, clockwise from the top, lies on the right side: names there begin at the wheel."""
    return angle < pi


def place_names(names: Sequence[tuple[str, float]], centre: tuple[float, float], radius: float) -> list[Lines]:
    """The lines of each (name, angle) of a picture twice as high as its centre lies, outside the circle of `radius`."""
    placed: list[Lines] = [[] for _ in names]
    boxes = [(_box(at, name, angle, centre[1], radius), angle) for at, (name, angle) in enumerate(names)]
    for right in (True, False):
        side = sorted((box for box, angle in boxes if is_right(angle) == right), key=lambda box: box.top)
        for box, top in _apart(side, 2 * centre[1]):
            x = _x(box, top, centre, radius, right=right)
            baselines = [round(top + BASELINE + LINE * at, 1) for at in range(len(box.words))]
            placed[box.index] = [(line, x, y) for line, y in zip(box.words, baselines, strict=True)]
    return placed


def _box(index: int, name: str, angle: float, middle: float, radius: float) -> Box:
    """Above its slice at the top, below it at the bottom."""
    words = wrap(name, LONGEST_LINE, max_lines=3, placeholder="…") or [""]
    top = middle - radius * cos(angle) - LINE * len(words) * (1 + cos(angle)) / 2
    return Box(index, words, top)


def _apart(side: Sequence[Box], height: float) -> list[tuple[Box, float]]:
    """Each box, from the top down, with its top: moved down below the one before, then up where room runs out."""
    tops: list[float] = []
    floor = 0.0
    for box in side:
        tops.append(max(box.top, floor))
        floor = tops[-1] + box.height + GAP
    ceiling = height
    for at in reversed(range(len(side))):
        tops[at] = min(tops[at], ceiling - side[at].height)
        ceiling = tops[at] - GAP
    return list(zip(side, tops, strict=True))


def _x(box: Box, top: float, centre: tuple[float, float], radius: float, *, right: bool) -> float:
    """As near to the middle as the circle allows at the height of the box."""
    off = max(top - centre[1], centre[1] - top - box.height, 0)
    aside = max(sqrt(max(radius**2 - off**2, 0)), GAP)
    return round(centre[0] + aside if right else centre[0] - aside, 1)
