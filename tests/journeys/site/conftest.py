"""One window for all tests of a process that only read: what it has fetched once, it has."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.journeys.conftest import Visit

WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 320, "height": 640}


@pytest.fixture(scope="session")
def _window(browser: Browser, july_site: str) -> Iterator[Visit]:
    context = browser.new_context()
    yield Visit(context.new_page(), july_site)
    context.close()


@pytest.fixture
def reader(_window: Visit) -> Iterator[Visit]:
    """A visit of the July site at 1280 pixels, on screen, as `july`, but in a window that stays open."""
    everything: dict[str, Any] = {
        "media": "null",
        "forced_colors": "null",
        "reduced_motion": "null",
        "color_scheme": "null",
        "contrast": "null",
    }
    _window.page.emulate_media(**everything)
    _window.page.set_viewport_size(WIDE)
    _window.begin()
    yield _window
    assert _window.troubles == []
