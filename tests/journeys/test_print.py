"""A label on paper, in a real browser."""

import re

import pytest

from evaluation.models import Release
from tests.journeys.conftest import Visit
from tests.support.builders import make_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def release() -> Release:
    return make_release()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_label_prints_on_one_page(visit: Visit, release: Release, paper: str) -> None:
    visit.open(f"/labels/{release.targets.order_by('slug')[0].slug}/")
    # A label of 16 rows, the most that a card has, whatever the builder made.
    visit.page.evaluate("""() => {
      const body = document.querySelector('.label-rows tbody');
      for (let n = document.querySelectorAll('.label-rows tbody tr').length; n < 16; n += 1)
        body.append(body.rows[0].cloneNode(true));
    }""")

    assert len(re.findall(rb"/Type\s*/Page[^s]", visit.page.pdf(format=paper))) == 1
