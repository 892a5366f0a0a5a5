"""People at browsers of their own, each of whom keeps the source of everything they were given to read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from django.core import mail
from django.db import connections
from playwright.sync_api import Browser, Locator, Response, expect

from impactbench.common.tasks import deliver_mail
from submissions.models import Trial
from submissions.tasks import run_trial
from tests.journeys.conftest import Visit
from tests.support.portal import PASSWORD

if TYPE_CHECKING:
    from django.core.mail import EmailMessage


class Visitor(Visit):
    """One person's browser, with cookies of its own."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(15_000)
        super().__init__(self.context.new_page(), site)
        self.sources: list[tuple[str, str]] = []
        self._unread: list[Response] = []
        self.page.on("response", lambda response: self._unread.append(response))

    def open(self, address: str, *, status: int = 200) -> Response:
        """Go to an address of the site; the answer must have this status."""
        self._keep_as_it_stands()
        response = super().open(address, status=status)
        self._keep_page()
        return response

    def go(self, place: Locator) -> None:
        """Click there and wait for the page behind it."""
        self._keep_as_it_stands()
        super().go(place)
        self._keep_page()

    def _keep_page(self) -> None:
        """Keep the source of the page that came; a redirect on the way has none."""
        for response in self._unread:
            if response.request.resource_type == "document" and not 300 <= response.status < 400:
                self.sources.append((response.url, response.text()))
        self._unread.clear()

    def _keep_as_it_stands(self) -> None:
        """Keep the page with all that scripts have put into it since it came."""
        self.sources.append((self.page.url, self.page.content()))

    def text(self) -> str:
        """What the page says, with spaces as one."""
        return " ".join(self.page.locator("main").inner_text().split())

    def told(self, words: str) -> None:
        """The page says this."""
        expect(self.page.locator("main")).to_contain_text(words)

    def sign_in_with_password(self, address: str, *, then: str) -> None:
        """With the password, and on to a page."""
        self.open(f"/accounts/login/?next={then}")
        self.page.get_by_label("E-mail address").fill(address)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.press("Sign in")
        expect(self.page).to_have_url(self.site + then)

    def asks_api(self, path: str) -> list[dict[str, Any]]:
        """The rows of a list of the public API."""
        answer = self.page.request.get(f"{self.site}/api/v1{path}")
        assert answer.status == 200, path
        return list(answer.json()["results"])

    def leave(self) -> None:
        """Close the browser; nothing must have gone wrong in it."""
        self.context.close()
        assert self.troubles == []

    def sources_that_say(self, *words: str) -> list[tuple[str, str]]:
        """Which of the words stands in which of the sources, in whatever case."""
        self._keep_as_it_stands()
        low = [(address, source.casefold()) for address, source in self.sources]
        return [(word, address) for address, source in low for word in words if word.casefold() in source]


def post_comes() -> list[tuple[str, str]]:
    """Send what is due, as the portal's worker does, and give each letter that went out now as (to, subject)."""
    n_before = len(mail.outbox)
    deliver_mail()
    return [(letter.to[0], str(letter.subject)) for letter in mail.outbox[n_before:]]


def letters_to(address: str) -> list[EmailMessage]:
    """Every letter that went to this address, oldest first."""
    return [letter for letter in mail.outbox if letter.to == [address]]


def worker_does_the_trial() -> None:
    """What the portal's worker does with a trial that waits; in a thread, as the browser's loop runs in this one."""

    def work() -> None:
        run_trial(trial=Trial.objects.get(state=Trial.State.WAITING).pk)
        connections.close_all()

    with ThreadPoolExecutor(1) as worker:
        worker.submit(work).result()
