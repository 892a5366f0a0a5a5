"""Everything of the site that one person can read about a submission, as one text: pages, files, lists, letters."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode

from impactbench.common.models import OutgoingMail
from impactbench.common.table_files import KINDS
from submissions.models import Decision
from submissions.services.publishing import versions_of
from tests.submissions.access.matrix import _close, letter
from tests.submissions.access.people_and_states import our_routes
from tests.support.whole_story import Story
from tests.support.workbooks import text_of_workbook

# The name of an address and the address.
Place = tuple[str, str]
# Who holds which role is no secret to those who give roles and choose reviewers; these pages tell it of everybody.
OF_ROLES = frozenset({
    "accounts:people", "submissions:review-person", "submissions:review-people",
    *(f"submissions:review-people-{kind}" for kind in KINDS),
})  # fmt: skip
_ESCAPES = {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
# Ways to ask a list for what one must not find.
_QUEUE, _OWN = "submissions:review-queue", "submissions:submissions"
SEARCHES: tuple[tuple[str, dict[str, str]], ...] = (
    (_QUEUE, {"tab": "all", "state": "any", "q": "adelheid"}),
    (_QUEUE, {"tab": "all", "state": "any", "format": "csv"}),
    (_QUEUE, {"tab": "all", "state": "any", "format": "json"}),
    (_QUEUE, {"tab": "outbox"}),
    (_QUEUE, {"tab": "mine"}),
    (_QUEUE, {}),
    (_OWN, {"q": "zqtit", "state": "any"}),
)


def near_addresses(story: Story) -> list[Place]:
    """Everything that is about the submission, the lists it may stand in, and what accounts keep."""
    near = [place for place in _addresses(story) if place[0].startswith(("submissions:", "accounts:data"))]
    return near + [(name, f"{reverse(name)}?{urlencode(query)}") for name, query in SEARCHES]


def other_addresses(story: Story) -> list[Place]:
    """Every other address of the site and of the API."""
    rest = [place for place in _addresses(story) if not place[0].startswith(("submissions:", "accounts:data"))]
    return [
        *rest,
        *((address, address) for address in ("/metrics/?q=zqtit", "/search/?q=zqtit", "/search/?q=adelheid")),
    ]


def _addresses(story: Story) -> Iterator[Place]:
    values = _values(story)
    for name, route, parts in our_routes():
        if "^" not in route and name not in OF_ROLES:
            yield from ((name, address) for address in _filled(name, parts, values))


def read_all(client: Client, method: str, places: Iterable[Place]) -> Iterator[str]:
    """What the answers hold. Whether an address takes the method is decided before it looks for anything, so of those
    that do not, one of each name is asked."""
    refusing: set[str] = set()
    for name, address in places:
        if name not in refusing:
            text = read(client, method, address)
            refusing |= {name} if text is None else set()
            yield text or ""


def read(client: Client, method: str, address: str, data: dict[str, str] | None = None) -> str | None:
    """What an answer holds, headers and all, in lower case; '' where nothing is, None where the method is not taken.

    What a POST changes is undone. A GET changes nothing: `tests/submissions/access/test_nothing_changes_by_get.py`.
    """
    if method == "get":
        return _text(client.get(address, data))
    with transaction.atomic():
        found = _text(getattr(client, method)(address, data or {}))
        transaction.set_rollback(True)
    return found


def _text(response: Any) -> str | None:
    # Who is led to sign in first gets back the address they asked for, and nothing else.
    says_nothing = response.status_code in (404, 405) or letter(response) == "s"
    found = "" if says_nothing else _text_of(response).lower()
    _close(response)
    return None if response.status_code == 405 else found


def letters_to(person: Any) -> str:
    """All that was sent or waits to be sent to a person."""
    mails = OutgoingMail.objects.filter(recipient=person) | OutgoingMail.objects.filter(address=person.email)
    return "\n".join(f"{mail.subject}\n{mail.text}" for mail in mails).lower()


def _text_of(response: HttpResponse) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
    if content.startswith(b"%PDF"):
        text = pdf_text(content)
    else:
        text = text_of_workbook(content) if content.startswith(b"PK") else content.decode(errors="replace")
    return f"{text}\n{response.headers}"


def _filled(name: str, parts: frozenset[str], values: dict[str, dict[str, list[Any]]]) -> Iterator[str]:
    known = {**values[""], **values.get(name, {})}
    choices = [known.get(part, ["unknown"]) for part in sorted(parts)]
    for chosen in product(*choices):
        with suppress(NoReverseMatch):
            yield reverse(name, kwargs=dict(zip(sorted(parts), chosen, strict=True)))


def _values(story: Story) -> dict[str, dict[str, list[Any]]]:
    """What stands for the parts of addresses: the same everywhere, then by name of the address."""
    submission = story.submission
    assignments = [pk for round_ in submission.rounds.all() for pk in round_.assignments.values_list("pk", flat=True)]
    metrics = [version.metric for version in versions_of(submission)]
    known: dict[str, list[Any]] = {
        "public_id": [submission.public_id],
        "number": list(range(1, submission.version + 1)),
        "benchmark": [metric.benchmark.slug for metric in metrics] or ["unknown"],
        "metric": [metric.local_id for metric in metrics] or ["unknown"],
        "slug": ["zqbenchmark", "winter"],
    }
    keys = {
        "attachment": _keys(submission.attachments),
        "review-file": _keys(submission.attachments),
        "trial": _keys(submission.trials),
        "review-extension": _keys(submission.extensions),
        "review-conflict-clear": _keys(submission.conflicts),
        "review-mail": list(OutgoingMail.objects.values_list("pk", flat=True)),
        "review-assignment": assignments,
        "review-decision-act": _keys(Decision.objects.filter(submission=submission)),
    }
    one = {f"submissions:{name}": {"pk": found, "key": found} for name, found in keys.items()}
    return {"": known, **one}


def _keys(rows: Any) -> list[int]:
    return list(rows.values_list("pk", flat=True))


def pdf_text(content: bytes) -> str:
    """The words of a PDF, read once with the table of each of its fonts: those of its own font make sense."""
    streams = list(_streams(content))
    tables = [_characters(stream) for stream in streams if b"beginbfchar" in stream]
    shown = [text for stream in streams for text in re.findall(rb"\((.*?)(?<!\\)\) ?Tj", stream, re.S)]
    return "\n".join(_decoded(text, table) for table in tables for text in shown)


def _streams(content: bytes) -> Iterator[bytes]:
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", content, re.S):
        # What is not packed stands there as it is, and its header does not begin like that of a packed one.
        yield zlib.decompressobj().decompress(packed) if packed[:1] == b"x" else packed


def _characters(stream: bytes) -> dict[int, str]:
    rows = re.findall(rb"<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]{4})>", stream)
    return {int(code, 16): chr(int(word, 16)) for code, word in rows}


def _decoded(text: bytes, characters: dict[int, str]) -> str:
    raw = re.sub(rb"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.S)
    codes = [int.from_bytes(raw[at : at + 2]) for at in range(0, len(raw) - 1, 2)]
    return "".join(characters.get(code, "?") for code in codes)
