"""Pages of the July site asked for without a browser, and what their source says."""

from __future__ import annotations

import html
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message

TAGS, SPACES = re.compile(r"<[^>]*>"), re.compile(r"\s+")


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    headers: Message
    source: str

    @property
    def text(self) -> str:
        """The words of the page's main part, with spaces as one."""
        return words(self.part("main"))

    def part(self, tag: str) -> str:
        """The source of the first element of this name."""
        found = re.search(rf"<{tag}\b.*</{tag}>", self.source, re.DOTALL)
        return found.group() if found else ""

    def link(self, name: str) -> str:
        """The address of the first link with these words. Raises AssertionError where there is none."""
        found = re.search(rf'<a [^>]*?href="([^"]*)"[^>]*>{re.escape(name)}</a>', self.source)
        assert found, f"no link “{name}”"
        return html.unescape(found.group(1))


def ask(address: str, **headers: str) -> Answer:
    """Ask for a full address; every status is an answer."""
    request = urllib.request.Request(
        address, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return Answer(response.status, response.headers, response.read().decode())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read().decode())


def words(source: str) -> str:
    """The text of some source, with spaces as one."""
    return SPACES.sub(" ", html.unescape(TAGS.sub(" ", source.replace("<wbr>", "")))).strip()
