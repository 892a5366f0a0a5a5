"""The names around the wheel: no two over each other, none over the wheel, none out of the picture."""

from itertools import combinations

import pytest

from labels.charts.wheel import CENTRE_X, CENTRE_Y, HEIGHT, MOST_NAMES, RINGS, WIDTH, Part, wheel
from labels.charts.wheel_names import BASELINE, LINE
from tests.labels.charts.test_wheel import slice_of

# About the width of a letter of Helvetica in English names at 15 pixels; short names have wider ones by a pixel.
LETTER = 7.5
LONG = "Creativity, self-expression and all that goes with such a long name"
OUTER = max(outer for _inner, outer in RINGS.values())


def box(part: Part) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a part's name."""
    width = max(len(line) for line, _x, _y in part.lines) * LETTER
    (_, x, first), (*_, last) = part.lines[0], part.lines[-1]
    left = x if part.anchor == "start" else x - width
    return left, first - BASELINE, left + width, last - BASELINE + LINE


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("n", range(1, MOST_NAMES + 1))
@pytest.mark.parametrize("name", ["Learning", "Happiness and Life Satisfaction", LONG])
def test_names_of_many_slices_do_not_overlap_and_stay_in_the_picture(n: int, name: str) -> None:
    third = n // 3
    boxes = [box(part) for part in wheel([[slice_of(0.5, 0.5, name=name)] * size for size in (third, n - third)])]

    assert len(boxes) == n
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []
    assert min(left for left, *_ in boxes) >= 0
    assert max(right for *_, right, _bottom in boxes) <= WIDTH
    assert min(top for _left, top, *_ in boxes) >= 0
    assert max(bottom for *_, bottom in boxes) <= HEIGHT


@pytest.mark.parametrize("n", [1, 2, 11, 18, MOST_NAMES])
def test_names_stand_outside_the_wheel(n: int) -> None:
    for left, top, right, bottom in map(box, wheel([[slice_of(0.5, 0.5, name=LONG)] * n])):
        across = max(left - CENTRE_X, CENTRE_X - right, 0)
        along = max(top - CENTRE_Y, CENTRE_Y - bottom, 0)
        assert (across**2 + along**2) ** 0.5 > OUTER
