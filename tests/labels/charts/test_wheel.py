"""The wheel's geometry: every slice has its place, its tint and its range, and nothing is drawn that is not there."""

import re

import pytest

from labels.charts.wheel import CENTRE_X, CENTRE_Y, RINGS, TINTS, Slice, wheel
from labels.numbers import Number, number
from tests.labels.test_cells import result
from tests.support.commands import ROOT


def slice_of(*rates: float | None, name: str = "Learning") -> Slice:
    """A slice with a rate of each kind; None was not tested."""
    kinds = ("positive", "negative")
    return Slice(name, "/there/", "words", [(kind, one(rate, kind)) for kind, rate in zip(kinds, rates, strict=True)])


def one(rate: float | None, polarity: str) -> Number | None:
    if rate is None:
        return None
    return number(result(polarity=polarity, pass_rate=rate, ci_low=rate - 0.1, ci_high=rate + 0.1))


def points(path: str) -> list[tuple[float, float]]:
    """Where the path's pieces begin and end."""
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)(?=[AL]|Z|$)", path)]


def test_wheel_tint_is_the_number_in_five_steps() -> None:
    rates = (0.1, 0.2, 0.45, 0.6, 0.8, 0.9)
    parts = wheel([[slice_of(rate, None) for rate in rates]])

    steps = [TINTS["positive"].index(part.rings[0].fill) + 1 for part in parts]
    assert steps == [1, 2, 3, 4, 5, 5]
    assert [part.rings[0].text for part in parts] == ["10", "20", "45", "60", "80", "90"]


def test_wheel_what_was_not_tested_is_a_dash_without_tint_or_range() -> None:
    (part,) = wheel([[slice_of(0.5, None)]])

    promotes, avoids = part.rings
    assert (promotes.is_empty, avoids.is_empty) == (False, True)
    assert (avoids.text, avoids.fill, avoids.range_path, avoids.data) == ("–", "#ffffff", "", "")


def test_wheel_rings_lie_between_their_two_radii() -> None:
    (part,) = wheel([[slice_of(0.5, 0.5)]])

    for ring in part.rings:
        inner, outer = RINGS[ring.polarity]
        radii = [((x - CENTRE_X) ** 2 + (y - CENTRE_Y) ** 2) ** 0.5 for x, y in points(ring.path)]
        assert {round(radius) for radius in radii} == {inner, outer}


def test_wheel_keeps_the_order_and_counts_through_all_areas() -> None:
    parts = wheel([[slice_of(0.5, 0.5, name="a"), slice_of(0.5, 0.5, name="b")], [slice_of(0.5, 0.5, name="c")], []])

    assert [(part.index, part.name) for part in parts] == [(1, "a"), (2, "b"), (3, "c")]


@pytest.mark.parametrize(
    ("n", "has_names", "has_numbers"), [(1, True, True), (22, True, True), (23, False, True), (90, False, False)]
)
def test_wheel_of_many_slices_leaves_out_what_has_no_room(n: int, has_names: bool, has_numbers: bool) -> None:
    parts = wheel([[slice_of(0.5, 0.5)] * n])

    assert len(parts) == n
    assert bool(parts[0].lines) == has_names
    assert bool(parts[0].rings[0].text) == has_numbers


def test_wheel_of_nothing_is_nothing() -> None:
    assert wheel([[], []]) == []


def test_wheel_tints_are_those_of_the_style_sheet() -> None:
    css = (ROOT / "static/css/base.css").read_text(encoding="utf-8")
    drawn = {
        polarity: tuple(re.findall(rf"--{kind}-\d: (#[0-9a-f]{{6}});", css))
        for polarity, kind in (("positive", "promote"), ("negative", "avoid"))
    }

    assert drawn == TINTS
