"""Pictures of numbers in a real browser: axis, lines and marks stand where their values say, and rows fit."""

import pytest

from evaluation.models import Release, Result
from tests.journeys.conftest import Visit
from tests.support.builders import make_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (1280, 1100, 1000, 700, 360, 320)
# A list of pictures has its axis in its head, or in that of its block; a ruler has it right below. The answer: how
# many lines and marks were compared, and the farthest in pixels that any stands from where the axis has its value.
MEASURE = """() => {
  const centre = node => { const range = document.createRange(); range.selectNodeContents(node);
    const box = range.getBoundingClientRect(); return box.left + box.width / 2; };
  const middle = node => { const box = node.getBoundingClientRect(); return box.left + box.width / 2; };
  let compared = 0, farthest = 0;
  for (const picture of document.querySelectorAll('svg.di')) {
    const list = picture.closest('.dots');
    const block = list && list.closest('.kind-block');
    const head = list && (list.querySelector('.dots-head') || block && block.querySelector('.dots-top'));
    const scale = list ? head && head.querySelector('.scale') : picture.nextElementSibling;
    if (!picture.getClientRects().length || !scale || !scale.matches('.scale')) continue;
    const at = Object.fromEntries([...scale.children].map(label => [label.textContent, centre(label)]));
    const off = (x, value) => {
      compared += 1;
      farthest = Math.max(farthest, Math.abs(x - (at[0] + (at[100] - at[0]) * value / 100)));
    };
    for (const line of picture.querySelectorAll('line')) {
      const value = parseFloat(line.getAttribute('x1'));
      if (line.getAttribute('x1') !== line.getAttribute('x2') || !(value in at)) continue;
      off(at[value], value);
      off(middle(line), value);
    }
    for (const mark of picture.querySelectorAll('svg')) {
      off(middle(mark.querySelector('path')), parseFloat(mark.getAttribute('x')));
    }
  }
  return [compared, farthest];
}"""
# The lists whose rows do not fit into their own width.
CROWDED = """() => [...document.querySelectorAll('.dots > li')].filter(row => [...row.children].some(
  child => child.getBoundingClientRect().right > row.getBoundingClientRect().right + 1
)).map(row => row.textContent.trim().slice(0, 40))"""


@pytest.fixture
def release() -> Release:
    return make_release()


def _pages_with_axes(release: Release) -> list[str]:
    model = release.targets.order_by("slug").values_list("slug", flat=True)[0]
    row = Result.objects.filter(release=release, group=Result.Group.LABEL_ROW).order_by("pk").first()
    version = release.metric_versions.order_by("pk")[0]
    subarea = version.metric.subareas.order_by("pk")[0]
    assert row is not None
    return [
        "/",
        f"/labels/{model}/",
        f"/labels/{model}/{row.key}/",
        f"/compare/?m={','.join(release.targets.values_list('slug', flat=True))}",
        "/explore/",
        f"/explore/{subarea.area.slug}/",
        f"/explore/{subarea.area.slug}/{subarea.slug}/",
        f"/benchmarks/{version.metric.benchmark.slug}/",
        f"/models/{model}/",
        "/methodology/",
    ]


def test_axis_lines_and_marks_stand_where_their_values_say(visit: Visit, release: Release) -> None:
    measured, crowded = {}, {}
    for address in _pages_with_axes(release):
        visit.open(address)
        # Style sheets alone decide how a page uses its width, so it needs to come only once.
        for width in WIDTHS:
            visit.page.set_viewport_size({"width": width, "height": 900})
            measured[address, width] = visit.page.evaluate(MEASURE)
            crowded[address, width] = visit.page.evaluate(CROWDED)

    assert {place: found for place, found in measured.items() if found[0] == 0 or found[1] > 1} == {}
    assert {place: rows for place, rows in crowded.items() if rows} == {}
