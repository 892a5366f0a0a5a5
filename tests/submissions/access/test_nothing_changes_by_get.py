"""Looking changes nothing, wherever one looks and whoever looks; and every answer carries the headers of the house."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from submissions.states import State
from tests.submissions.access.matrix import OF_A_SUBMISSION, Site, _close, _meanings, quiet
from tests.submissions.access.people_and_states import our_routes
from tests.support.thorough import with_one_of

STATES = (State.DRAFT, State.IN_REVIEW, State.CHANGES_REQUESTED, State.APPROVED, State.PUBLISHED)
PEOPLE = ("owner", "reviewer", "invited", "editor", "operator")
# A session is no state of the site: it says who looks.
NOT_COUNTED = "django_session"
OF_THE_LIBRARY = ("account_", "mfa_", "usersessions_", "socialaccount_")
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY"}
# A picture of a label, made for the pages of others.
FRAMED_BY_ANYBODY = frozenset({"labels:label-embed", "labels:embed"})


def _writes() -> Counter[str]:
    """How many rows of each table were written in this transaction, also what was taken back."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
            " WHERE schemaname = current_schema() AND relname <> %s",
            [NOT_COUNTED],
        )
        return Counter(dict(cursor.fetchall()))


def _looked(client: Client, path: str) -> tuple[Any, Counter[str]]:
    """The answer, and what was written while it was made."""
    before = _writes()
    response: Any = client.get(path)
    _close(response)
    return response, _writes() - before


def _paths(site: Site, name: str, parts: frozenset[str], person: str) -> Iterator[str]:
    """The address, for a submission in some of the states where it is about one."""
    meanings = _meanings(name)
    is_about_one = "public_id" in parts or not OF_A_SUBMISSION.isdisjoint(meanings.values())
    states = with_one_of([State.IN_REVIEW], STATES, of=f"{name} {person}")
    for state in states if is_about_one else STATES[:1]:
        values = {**site.public, **site.scenes[state].values}
        yield reverse(name, kwargs={part: values.get(meanings.get(part, part), 0) for part in parts})


def _library_paths(resolver: URLResolver) -> Iterator[str]:
    """Addresses without parts that django-allauth serves."""
    for item in resolver.url_patterns:
        if isinstance(item, URLResolver):
            yield from _library_paths(item)
        elif isinstance(item, URLPattern) and (item.name or "").startswith(OF_THE_LIBRARY):
            with suppress(NoReverseMatch):
                yield reverse(item.name)


def _wrong_headers(name: str, response: HttpResponse) -> list[str]:
    policy = response.headers.get("Content-Security-Policy", "")
    wrong = [key for key, value in HEADERS.items() if response.headers.get(key) != value]
    if name in FRAMED_BY_ANYBODY:
        wrong = [key for key in wrong if key != "X-Frame-Options"]
    elif "frame-ancestors 'none'" not in policy and "sandbox" not in policy:
        wrong.append("frame-ancestors")
    return [*wrong, *(word for word in ("unsafe", "*.", "http:") if word in policy)]


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.django_db
def test_no_address_changes_anything_by_get_and_all_have_the_headers(settings, tmp_path: Path) -> None:
    settings.PRIVATE_FILES = tmp_path
    settings.REFUSALS_AN_HOUR = 1_000_000
    site, n_asked = Site(), 0
    changed: dict[str, Counter[str]] = {}
    bare: dict[str, list[str]] = {}

    with quiet():
        for name, _, parts in our_routes():
            if name.startswith("^") or (name.startswith(("labels:", "api:")) and parts):
                continue
            for person in PEOPLE:
                for path in _paths(site, name, parts, person):
                    response, written = _looked(site.clients[person], path)
                    n_asked += 1
                    if written:
                        changed[f"{person} {name}"] = written
                    if wrong := _wrong_headers(name, response):
                        bare[name] = wrong

    assert (changed, bare, mail.outbox) == ({}, {}, [])
    assert n_asked > 500


@pytest.mark.django_db
def test_no_address_of_accounts_changes_anything_by_get() -> None:
    site, paths = Site(), sorted(set(_library_paths(get_resolver())))

    with quiet():
        found = {path: _looked(site.clients[person], path)[1] for path in paths for person in ("owner", "anonymous")}

    assert {path: written for path, written in found.items() if written} == {}
    assert mail.outbox == []
    assert {"/accounts/logout/", "/accounts/email/", "/accounts/2fa/"} <= set(paths)


@pytest.mark.django_db
def test_the_count_sees_a_write(client: Client) -> None:
    before = _writes()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_content_type (app_label, model) VALUES ('a', 'b')")

    assert _writes() - before == {"django_content_type": 1}


@pytest.mark.django_db
def test_every_writing_address_asks_for_the_token_of_the_page() -> None:
    site, csrf_exempt = Site(), []
    client = Client(enforce_csrf_checks=True)
    client.force_login(site.scenes[State.DRAFT].submission.owner)

    with quiet():
        for name, _, parts in our_routes():
            if name.startswith(("labels:", "api:", "^")) or name in ("healthz", "monitoring", "readyz"):
                continue
            if name.startswith("submissions-api:"):  # no session counts there, so nothing can be sent in its name
                continue
            path = next(_paths(site, name, parts, "owner"))
            if client.post(path).status_code != 403:
                csrf_exempt.append(name)

    assert csrf_exempt == []
