"""Pages of the whole July shape, from the production server."""

import pytest

from tests.journeys.conftest import Visit
from tests.support import july_shape

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("address", july_shape.addresses())
def test_page_of_the_july_shape_answers_and_fits(july: Visit, address: str) -> None:
    july.open(address)

    assert july.overflow() <= 0


def test_production_server_keeps_pages(july: Visit) -> None:
    july.open("/labels/?sort=name")

    assert july.open("/labels/?sort=name").headers["x-page-cache"] == "hit"
