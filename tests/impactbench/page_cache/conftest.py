"""The page cache is on, and nobody has kept anything yet."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from impactbench.common import page_version
from impactbench.page_cache import levels


@pytest.fixture(autouse=True)
def _page_cache(settings: Settings) -> Iterator[None]:
    settings.PAGE_CACHE = settings.PAGE_VERSION_FOLLOWS_WRITES = True
    page_version.look_again()
    levels.in_process.clear()
    yield
    levels.in_process.clear()
    page_version.look_again()
