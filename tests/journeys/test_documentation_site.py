"""The documentation in a browser, under the site's own policy: read, searched, on a phone."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from impactbench.middleware import POLICY
from tests.journeys.conftest import visit_in_a_window
from tests.support.commands import ROOT

pytestmark = pytest.mark.browser


class _UnderOurPolicy(SimpleHTTPRequestHandler):
    """Files with the header that the site sends with them."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY + "form-action 'self'")
        super().end_headers()

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, *_words: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the documentation, built and served."""
    folder = tmp_path_factory.mktemp("documentation")
    build: list[str | Path] = [sys.executable, "-m", "sphinx", "-q", "-d", folder / "doctrees", "docs", folder / "site"]
    subprocess.run(build, cwd=ROOT, check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_UnderOurPolicy, directory=str(folder / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_documentation_is_read_and_searched(browser: Browser, documentation: str) -> None:
    with visit_in_a_window(browser, documentation, 1280, 900) as visit:
        visit.open("/index.html")
        visit.follow("For readers")
        expect(visit.page.locator("h1")).to_contain_text("For readers")
        assert visit.accessibility_problems() == []

        visit.page.get_by_role("searchbox").fill("rate limits")
        visit.press("Go")
        found = visit.page.locator("#search-results a").first
        expect(found).to_be_visible()
        visit.go(found)
        expect(visit.page.locator("h1")).to_be_visible()


def test_documentation_fits_on_a_phone(browser: Browser, documentation: str) -> None:
    with visit_in_a_window(browser, documentation, 360, 740, java_script_enabled=False) as visit:
        for address in ("/index.html", "/operating.html", "/guides/readers.html"):
            visit.open(address)
            assert visit.overflow() <= 0


def test_tables_and_commands_pass_axe(browser: Browser, documentation: str) -> None:
    with visit_in_a_window(browser, documentation, 360, 740) as visit:
        visit.open("/operating.html")
        assert visit.accessibility_problems() == []
