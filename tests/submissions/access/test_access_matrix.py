"""Every address x everybody x every state gives what the table says, and an address missing from the table fails."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.submissions.access.matrix import METHODS, Site, in_words, letter, out_of_words, quiet
from tests.submissions.access.people_and_states import our_routes
from tests.submissions.access.table import TABLE

# Everybody may read these, and nobody changes anything there.
PUBLIC = ("labels:", "api:", "^api/")


def _is_public(name: str) -> bool:
    return name.startswith(PUBLIC)


def test_every_address_stands_in_the_table() -> None:
    named = {f"{method} {name}" for name, _, _ in our_routes() if not _is_public(name) for method in METHODS}

    assert sorted(named) == sorted(TABLE)


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("part", ["submissions", "review", ""])
def test_everybody_gets_what_the_table_says(part: str, method: str, settings, tmp_path: Path) -> None:
    settings.PRIVATE_FILES = tmp_path
    site, found = Site(), dict[str, str]()

    with quiet():
        for name, route, parts in our_routes():
            if not _is_public(name) and _part(route) == part:
                found[f"{method} {name}"] = site.row(name, parts, method, TABLE[f"{method} {name}"])

    assert {key: row for key, row in found.items() if row != TABLE[key]} == {}
    assert len(found) > 10


def _part(route: str) -> str:
    """The part of the site that a route belongs to; '' for the small ones together."""
    first = route.split("/")[0]
    return first if first in ("submissions", "review") else ""


@pytest.mark.parametrize(
    "row", ["all: p", "anonymous: s; others: p", "anonymous: f; owner, co-author: pcccpccccc; others: -"]
)
def test_words_of_the_table_can_be_read_back(row: str) -> None:
    assert in_words(out_of_words(row)) == row


@pytest.mark.django_db
def test_public_addresses_ask_nobody_to_sign_in_and_take_no_change() -> None:
    client, asked = Client(), 0

    with quiet():
        for name, _, parts in our_routes():
            if _is_public(name) and not name.startswith("^"):
                try:
                    path = reverse(name, kwargs=dict.fromkeys(parts, "x"))
                except NoReverseMatch:
                    path = reverse(name, kwargs=dict.fromkeys(parts, 1))
                asked += 1
                assert (name, letter(client.get(path)) in "p-r", letter(client.post(path))) == (name, True, "m")

    assert asked > 40
