"""A label keeps its shape at every width, on paper, and whatever is in it.

Not compared with stored pictures: how text falls depends on the fonts of the machine, so that a picture made here would
differ elsewhere by more than any defect does, and a tolerance wide enough for that would hide the defects. What a
reader would miss is measured instead: order, rules, edges, marks where their numbers say, nothing cut or overlapping.
"""

import pytest

from tests.journeys.conftest import Visit
from tests.journeys.site.label_shape import PARTS, Shape, shape
from tests.journeys.site.pages import FULL, LONG
from tests.support.july_words import ALL_FAILED, ALL_PASSED, PARTIAL, UNDER_HALF, WITHOUT_TEENS

pytestmark = pytest.mark.browser

LABELS = [FULL, PARTIAL, UNDER_HALF, WITHOUT_TEENS, ALL_FAILED, ALL_PASSED, LONG]
# Window: card. The widest card, and that of the narrowest phone; then the room that A4 leaves between its margins.
SCREENS = {480: 440, 320: 288}
PAPER = 718


@pytest.mark.parametrize("model", LABELS)
def test_label_keeps_its_shape_at_every_width_and_on_paper(reader: Visit, model: str) -> None:
    page = reader.page
    reader.open(f"/labels/{model}/")
    found: list[Shape] = []
    for window, width in SCREENS.items():
        page.set_viewport_size({"width": window, "height": 900})
        found.append(shape(page))
        assert found[-1]["width"] == width
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    found.append(shape(page))

    assert [one["wrong"] for one in found] == [[], [], []]
    assert [one["rules"] for one in found] == [["bar-4 4", "bar-8 8"]] * 3
    # Both headlines are drawn in each of these states.
    assert [one["n_marks"] for one in found] == [2, 2, 2]
    # On paper nobody chooses who was asking.
    assert [one["n_parts"] for one in found] == [len(PARTS), len(PARTS), len(PARTS) - 1]


BROKEN = """() => {
  document.querySelector('.label-model').style.marginBottom = '-30px';
  document.querySelector('.head-num').style.marginRight = '-20px';
  document.querySelector('.di .dot').setAttribute('transform', 'translate(9 0)');
  document.querySelector('.label-serve').style.cssText = 'font-size: 60px';
  document.querySelector('.label-facts').style.cssText = 'height: 10px; overflow: hidden';
}"""


def test_measure_sees_what_it_is_for(july: Visit) -> None:
    july.open(f"/labels/{FULL}/")
    assert shape(july.page)["wrong"] == []

    # From outside, which the page's own policy does not hold back.
    july.page.evaluate(BROKEN)
    wrong = "\n".join(shape(july.page)["wrong"])

    for words in (
        "sticks out",
        "lies on",
        "stands elsewhere",
        "as large as the title",
        "cuts its text off",
        "end apart",
    ):
        assert words in wrong
