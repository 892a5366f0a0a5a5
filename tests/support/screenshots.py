"""The pictures of the documentation, taken anew from a site with generated data: `make screenshots`.

Each picture is a page of the production server with the data of `july_shape` and `pictured_portal`, in the state that
its address names. Run as a module it writes docs/images/; names on the command line take those pictures alone.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.support.browser import chromium
from tests.support.production_server import ROOT, environment, served

if TYPE_CHECKING:
    from tests.support.pictured_portal import Portal

FOLDER = ROOT / "docs/images"
WIDTH, HEIGHT, SCALE, QUALITY = 1000, 740, 1.25, 64


@dataclass(frozen=True)
class Picture:
    """One picture: the address (`{draft}` and the like are ids of the portal's submissions), and who looks.

    `part` alone is taken where it is named; else `height` pixels from `shows` on, or from the top.
    """

    name: str
    address: str
    who: str = ""
    part: str = ""
    shows: str = ""
    height: int = HEIGHT


PICTURES = (
    Picture("label", "/labels/alder-2/", part=".label-col"),
    Picture("label-row", "/labels/alder-2/own-choices/", shows="main h2"),
    Picture("compare", "/compare/?m=alder-2,ember-small", shows=".tabs"),
    Picture("explore", "/explore/?m=alder-2,birch-1-1,comet-9b,ember-small", shows="#explore-results"),
    Picture("metric", "/metrics/borrowed-decisions/m01/"),
    Picture("conversation", "/conversations/july-000040/", height=1000),
    Picture("submit", "/submit/", who="author", height=600),
    Picture("submission-form", "/submissions/{draft}/edit/", who="author", height=900),
    Picture("submission-state", "/submissions/{reviewed}/", who="author"),
    Picture("review-queue", "/review/", who="second", height=640),
    Picture("review", "/review/{reviewed}/", who="second", height=900),
    Picture("editor-queue", "/review/", who="editor"),
    Picture("editor-decision", "/review/{reviewed}/decision/", who="editor", height=900),
    Picture("editor-publish", "/review/{approved}/publish/", who="publisher", height=640),
)


class _Visitors:
    """Everybody of the portal, signed in, and the ids of its submissions."""

    def __init__(self, portal: Portal) -> None:
        from django.conf import settings
        from django.test import Client

        self.ids = {name: getattr(portal, name).public_id for name in ("draft", "reviewed", "approved")}
        self._cookie = settings.SESSION_COOKIE_NAME
        self._sessions: dict[str, str] = {}
        for who, person in portal.people.items():
            client = Client()
            client.force_login(person)
            self._sessions[who] = client.cookies[self._cookie].value

    def sign_in(self, context: BrowserContext, who: str, url: str) -> None:
        context.add_cookies([{"name": self._cookie, "value": self._sessions[who], "url": url}])


def main(names: Sequence[str]) -> None:
    """Take the pictures of these names, or all."""
    wanted = [picture for picture in PICTURES if not names or picture.name in names]
    FOLDER.mkdir(exist_ok=True)
    with _site() as (url, visitors), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for picture in wanted:
            file = FOLDER / f"{picture.name}.webp"
            file.write_bytes(_taken(browser, picture, url, visitors))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB", flush=True)  # noqa: T201
        browser.close()


@contextmanager
def _site() -> Iterator[tuple[str, _Visitors]]:
    """The address of a site of our own, and who looks at it; nothing of it is left afterwards."""
    with tempfile.TemporaryDirectory(prefix="impactbench-screenshots-") as home:
        os.environ.update(environment(Path(home)))
        import django

        import impactbench.celery  # noqa: F401  (letters find their broker through it)
        from impactbench import embedded
        from impactbench.embedded import Service

        with embedded.join(Path(home), Service.POSTGRES, Service.VALKEY):
            django.setup()
            portal = _filled()
            # Before the browser: its loop forbids questions to the database.
            visitors = _Visitors(portal)
            with served(os.environ) as url:
                yield url, visitors


def _filled() -> Portal:
    """Everything that the pictures show, in the database that the settings name."""
    from impactbench.common.readiness import apply_pending_migrations
    from tests.support import july_shape, pictured_portal

    apply_pending_migrations()
    july_shape.build()
    return pictured_portal.build()


def _taken(browser: Browser, picture: Picture, url: str, visitors: _Visitors) -> bytes:
    page = browser.new_page(viewport={"width": WIDTH, "height": picture.height}, device_scale_factor=SCALE)
    if picture.who:
        visitors.sign_in(page.context, picture.who, url)
    answer = page.goto(url + picture.address.format(**visitors.ids))
    if answer is None or answer.status != 200:
        raise RuntimeError(f"{picture.name}: {picture.address} answered {answer and answer.status}")
    page.wait_for_load_state("networkidle")
    if picture.shows:
        page.locator(picture.shows).first.evaluate("element => element.scrollIntoView()")
    taken = page.locator(picture.part) if picture.part else page
    shot = taken.screenshot(animations="disabled")
    page.close()
    packed = io.BytesIO()
    Image.open(io.BytesIO(shot)).convert("RGB").save(packed, "WEBP", quality=QUALITY, method=6)
    return packed.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])
