"""A real browser for the journeys: it refuses every foreign request and remembers everything that went wrong."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, Route

from tests.support.browser import chromium
from tests.support.july_site import shared_site

# Playwright's event loop runs in this thread; Django would otherwise refuse the ORM beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

AXE_OPTIONS = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = chromium()
    return {**browser_type_launch_args, **({"executable_path": executable} if executable else {})}


class Visit:
    """A page of the live site with everything that a visitor would never see going wrong."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.troubles: list[str] = []
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.route("**/*", self._stay_home)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.troubles.append(message.text)

    def _stay_home(self, route: Route, request: Request) -> None:
        if request.url.startswith((self.site, "data:", "blob:")):
            route.continue_()
        else:
            self.troubles.append(f"asked {request.url}")
            route.abort()

    def open(self, address: str, *, status: int = 200) -> Response:
        """Go to an address of the site; the answer must have this status."""
        response = self.page.goto(self.site + address)
        assert response is not None
        assert response.status == status, f"{address} answered {response.status}"
        return response

    def follow(self, name: str, *, exact: bool = False) -> None:
        """Click the first link of this name and wait for the page behind it."""
        self.page.get_by_role("link", name=name, exact=exact).first.click()
        self.page.wait_for_load_state()

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window; 0 or less when nothing has to be scrolled sideways."""
        return int(self.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth"))

    def accessibility_problems(self) -> list[str]:
        """What axe finds wrong, one line each."""
        found = Axe().run(self.page, options=AXE_OPTIONS).response["violations"]
        return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


@pytest.fixture
def visit(page: Page, live_server: Any) -> Iterator[Visit]:
    """A visit with JavaScript on, at 1280 pixels; ends by asserting that nothing went wrong."""
    page.set_viewport_size({"width": 1280, "height": 900})
    visit = Visit(page, live_server.url)
    yield visit
    assert visit.troubles == []


@contextmanager
def _visit_in_a_window(browser: Browser, site: str, width: int, height: int, **options: Any) -> Iterator[Visit]:
    """A visit in a context of its own, with Playwright's options for it; ends like `visit`."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    visit = Visit(context.new_page(), site)
    yield visit
    context.close()
    assert visit.troubles == []


@pytest.fixture
def visit_without_javascript(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit with JavaScript off, on a phone."""
    with _visit_in_a_window(browser, live_server.url, 360, 740, java_script_enabled=False) as visit:
        yield visit


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit at 360 pixels."""
    with _visit_in_a_window(browser, live_server.url, 360, 740) as visit:
        yield visit


@pytest.fixture(scope="session")
def july_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a production server with the data of `july_shape`, shared by all processes; only read there."""
    own = tmp_path_factory.getbasetemp()
    # Each process of a parallel run has a temporary folder of its own in the run's.
    with shared_site(Path(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "july-site") as address:
        yield address


@pytest.fixture
def july(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site at 1280 pixels."""
    with _visit_in_a_window(browser, july_site, 1280, 900) as visit:
        yield visit


@pytest.fixture
def july_phone(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site at 360 pixels."""
    with _visit_in_a_window(browser, july_site, 360, 740) as visit:
        yield visit


@pytest.fixture
def july_without_javascript(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site with JavaScript off, on a phone."""
    with _visit_in_a_window(browser, july_site, 360, 740, java_script_enabled=False) as visit:
        yield visit
