"""Pages of the whole July shape, from the production server."""

import pytest

from tests.journeys.conftest import Visit

pytestmark = pytest.mark.browser


def test_production_server_keeps_pages(july: Visit) -> None:
    july.open("/labels/?sort=name")

    assert july.open("/labels/?sort=name").headers["x-page-cache"] == "hit"
