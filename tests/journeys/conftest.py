"""A real browser for the journeys: it reaches no foreign place and remembers everything that went wrong."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response, expect

from impactbench.accounts.models import User
from tests.support.browser import chromium
from tests.support.july_site import shared_site

# Playwright's event loop runs in this thread; Django would otherwise refuse the ORM beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# A busy machine is slow, not wrong: what is expected may take its time, and costs none when it is there.
expect.set_options(timeout=20_000)
AXE_OPTIONS = {
    # All that is read of axe's answer; what passes is the far larger part.
    "resultTypes": ["violations"],
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
}


# No name but our own leads anywhere, so nothing can be fetched from elsewhere.
STAY_HOME = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = chromium()
    arguments = {"args": [*browser_type_launch_args.get("args", []), STAY_HOME]}
    return {**browser_type_launch_args, **arguments, **({"executable_path": executable} if executable else {})}


class Visit:
    """A page of the live site with everything that a visitor would never see going wrong."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.troubles: list[str] = []
        self._expected: list[str] = []
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", self._watch)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in self._expected):
            self.troubles.append(message.text)

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site}/", "data:", "blob:")):
            self.troubles.append(f"asked {request.url}")

    def expects_refusal(self, *statuses: int) -> None:
        """From now on answers of these kinds are what the test is about: that the browser notes them is no trouble."""
        # The browser's words and htmx's.
        self._expected += [words for status in statuses for words in (f"status of {status} ", f"Error Code {status} ")]

    def begin(self) -> None:
        """Forget what went wrong until now, and what was to be expected then."""
        self.troubles.clear()
        self._expected.clear()

    def expects_no_connection(self) -> None:
        """From now on requests may fail on their way: that the browser notes it is no trouble."""
        self._expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED"]

    def sign_in(self, person: User) -> None:
        """Let this person be signed in from here on; the page to do so has journeys of its own."""
        client, name = Client(), settings.SESSION_COOKIE_NAME
        client.force_login(person)
        self.page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": self.site}])

    def open(self, address: str, *, status: int = 200) -> Response:
        """Go to an address of the site; the answer must have this status."""
        response = self.page.goto(self.site + address)
        assert response is not None
        assert response.status == status, f"{address} answered {response.status}"
        return response

    def follow(self, name: str, *, exact: bool = False) -> None:
        """Click the first link of this name and wait for the page behind it."""
        self.go(self.page.get_by_role("link", name=name, exact=exact).first)

    def press(self, name: str, *, exact: bool = True) -> None:
        """Press the first button of this name and wait for the page behind it."""
        self.go(self.page.get_by_role("button", name=name, exact=exact).first)

    def go(self, place: Locator) -> None:
        """Click there and wait for the page behind it."""
        with self.page.expect_navigation():
            place.click()

    def is_at(self, end: str) -> None:
        """The address of the page ends like this."""
        expect(self.page).to_have_url(re.compile(re.escape(end) + "$"))

    def settle(self) -> None:
        """Wait for what the page fetches by itself."""
        if self.page.locator("[hx-trigger='load']").count():
            self.page.wait_for_load_state("networkidle")

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
def visit_in_a_window(browser: Browser, site: str, width: int, height: int, **options: Any) -> Iterator[Visit]:
    """A visit in a context of its own, with Playwright's options for it; ends like `visit`."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    visit = Visit(context.new_page(), site)
    yield visit
    context.close()
    assert visit.troubles == []


@pytest.fixture
def visit_without_javascript(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit with JavaScript off, on a phone."""
    with visit_in_a_window(browser, live_server.url, 360, 740, java_script_enabled=False) as visit:
        yield visit


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A visit at 360 pixels."""
    with visit_in_a_window(browser, live_server.url, 360, 740) as visit:
        yield visit


@pytest.fixture(scope="session", autouse=True)
def _july_site_begins(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Future[str] | None]:
    """The address that `july_site` will have. It is waited for by those who need it; the others go first meanwhile."""
    if not any(map(_is_on_july_site, request.session.items)):
        yield None
        return
    own = tmp_path_factory.getbasetemp()
    # Each process of a parallel run has a temporary folder of its own in the run's.
    folder = Path(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "july-site"
    with ExitStack() as site, ThreadPoolExecutor(1, "july-site-begins") as thread:
        address = thread.submit(lambda: site.enter_context(shared_site(folder)))
        yield address
        wait([address])


@pytest.fixture(scope="session")
def july_site(_july_site_begins: Future[str]) -> str:
    """The address of a production server with the data of `july_shape`, shared by all processes; only read there."""
    return _july_site_begins.result()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever needs the site of July comes later: it takes half a minute to build.

    Two processes get a half of the list each, so each half has its share of the others at its beginning.
    """
    late = [item for item in items if _is_on_july_site(item)]
    early = [item for item in items if not _is_on_july_site(item)]
    if late:
        items[:] = [*early[0::2], *late[0::2], *early[1::2], *late[1::2]]


def _is_on_july_site(item: pytest.Item) -> bool:
    return "july_site" in getattr(item, "fixturenames", ())


@pytest.fixture
def july(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site at 1280 pixels."""
    with visit_in_a_window(browser, july_site, 1280, 900) as visit:
        yield visit


@pytest.fixture
def july_phone(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site at 360 pixels."""
    with visit_in_a_window(browser, july_site, 360, 740) as visit:
        yield visit


@pytest.fixture
def july_without_javascript(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit of that site with JavaScript off, on a phone."""
    with visit_in_a_window(browser, july_site, 360, 740, java_script_enabled=False) as visit:
        yield visit
