"""A real browser for the journeys: it refuses every foreign request and remembers everything that went wrong."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, Route

from tests.support.browser import chromium

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


@pytest.fixture
def visit_without_javascript(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit with JavaScript off, on a phone."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    visit = Visit(context.new_page(), live_server.url)
    yield visit
    context.close()
    assert visit.troubles == []


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit at 360 pixels."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    visit = Visit(context.new_page(), live_server.url)
    yield visit
    context.close()
    assert visit.troubles == []
