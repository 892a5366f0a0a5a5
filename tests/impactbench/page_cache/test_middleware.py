"""Visitors get kept pages, byte by byte, until what they show changes; whoever may be signed in never does."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from evaluation.models import Release
from evaluation.services import publishing
from impactbench.accounts.models import User
from impactbench.common import page_version
from impactbench.page_cache import levels
from tests.labels.test_home import make_demonstration_run
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db
LABEL = "/labels/luna/"
GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture
def release() -> Release:
    return make_release()


def _how(client: Client, address: str = LABEL, **options: Any) -> str:
    return client.get(address, **options).headers.get("X-Page-Cache", "")


def test_second_visit_gets_the_same_bytes_and_asks_nobody(
    client: Client, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = client.get(LABEL, headers=GZIP)

    with django_assert_num_queries(0):
        second = client.get(LABEL, headers=GZIP)

    own = ("X-Request-Id", "X-Page-Cache")
    assert [answer.headers["X-Page-Cache"] for answer in (first, second)] == ["miss", "hit"]
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert second.content == first.content
    assert {name: value for name, value in second.headers.items() if name not in own} == {
        name: value for name, value in first.headers.items() if name not in own
    }
    assert second.headers["Content-Encoding"] == "gzip"
    assert "script-src 'self'" in second.headers["Content-Security-Policy"]
    assert second.headers["X-Content-Type-Options"] == "nosniff"


def test_part_of_an_answer_is_not_asked_of_kept_ones(client: Client, release: Release) -> None:
    assert _how(client, headers={"Range": "bytes=0-9"}) == ""


def test_plain_and_compressed_visitors_get_their_own_bytes(client: Client, release: Release) -> None:
    client.get(LABEL, headers=GZIP)

    plain = client.get(LABEL)

    assert "Content-Encoding" not in plain.headers
    assert plain.content.startswith(b"<!doctype html>")


def test_whoever_has_the_page_is_told_so_by_the_cache(client: Client, release: Release) -> None:
    tag = client.get(LABEL, headers=GZIP).headers["ETag"]

    hit = client.get(LABEL, headers={**GZIP, "If-None-Match": tag})
    levels.in_process.clear()
    cache.clear()
    page_version.look_again()
    miss = client.get(LABEL, headers={**GZIP, "If-None-Match": tag})

    assert (hit.status_code, hit.content, hit.headers["ETag"]) == (304, b"", tag)
    assert (miss.status_code, miss.headers["X-Page-Cache"]) == (304, "miss")
    # The page was made in full all the same, for the next one.
    assert client.get(LABEL, headers=GZIP).status_code == 200
    assert _how(client, headers=GZIP) == "hit"


def test_head_gets_the_headers_of_the_kept_page(client: Client, release: Release) -> None:
    assert client.head(LABEL).headers["X-Page-Cache"] == "miss"
    assert _how(client) == "miss"

    answer = client.head(LABEL)

    assert (answer.status_code, answer.content, answer.headers["X-Page-Cache"]) == (200, b"", "hit")


def test_signed_in_visitors_get_pages_of_their_own(client: Client, release: Release) -> None:
    client.get(LABEL)
    client.force_login(User.objects.create_user("ada@example.org", name="Ada Example"))

    page = client.get(LABEL)

    assert "X-Page-Cache" not in page.headers
    assert "Ada Example" in page.content.decode()
    assert page.headers["Cache-Control"] == "private"
    assert "Ada Example" not in Client().get(LABEL).content.decode()


@pytest.mark.parametrize(
    ("address", "how"),
    [
        ("/", "hit"), ("/labels/", "hit"), ("/explore/", "hit"), ("/metrics/", "hit"), ("/methodology/", "hit"),
        ("/compare/?m=luna", "hit"), (f"{LABEL}?profile=teen", "hit"), ("/labels/luna.json", "hit"),
        ("/api/v1/releases/", "hit"), ("/api/v1/results/?group=overall&page_size=2", "hit"),
        ("/api/v1/docs/", "hit"), ("/api/v1/results/?group=nonsense", "miss"), ("/api/v1/submissions/", ""),
        # Never: not there, no end of values, other people's addresses, forms with tokens, data for programs.
        ("/labels/nobody/", "miss"), ("/search/?q=x", ""), (f"{LABEL}?who=me", ""), ("/accounts/login/", ""),
        ("/submit/", ""), ("/review/", ""), ("/runs/", ""), ("/studies/", ""), ("/progress/", "miss"), ("/healthz", ""),
    ],
)  # fmt: skip
def test_public_pages_are_kept_and_nothing_else(client: Client, release: Release, address: str, how: str) -> None:
    _how(client, address)

    assert _how(client, address) == how


def test_static_files_go_their_own_way(client: Client) -> None:
    answer = client.get("/static/css/base.css")
    answer.close()

    assert (answer.status_code, answer.streaming, "X-Page-Cache" in answer.headers) == (200, True, False)


def test_parts_and_whole_pages_are_kept_apart(client: Client, release: Release) -> None:
    part = {"HX-Request": "true"}
    whole = client.get("/explore/").content

    assert client.get("/explore/", headers=part).content != whole
    assert client.get("/explore/", headers={**part, "HX-History-Restore-Request": "true"}).content == whole
    assert client.get("/explore/").content == whole


def test_headers_that_are_not_part_of_the_name_change_nothing(client: Client, release: Release) -> None:
    forged = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Original-URL": "/evil/",
        "Forwarded": "host=evil.example",
        "Accept-Language": "de",
        "User-Agent": "evil.example",
        "Referer": "https://evil.example/",
    }

    first = client.get(LABEL, headers=forged).content

    assert b"evil" not in first
    assert client.get(LABEL).content == first


def test_foreign_host_is_refused_and_kept_by_nobody(client: Client, release: Release) -> None:
    client.get(LABEL)

    refused = client.get(LABEL, headers={"Host": "evil.example"})

    assert (refused.status_code, refused.headers.get("X-Page-Cache")) == (400, None)
    assert b"evil.example" not in client.get(LABEL).content


def test_addresses_on_a_page_are_those_of_its_own_host(client: Client, release: Release) -> None:
    pages = {host: client.get(LABEL, headers={"Host": host}).content.decode() for host in ("testserver", "localhost")}

    for host, page in pages.items():
        assert set(re.findall(r"http://(testserver|localhost)/", page)) == {host}


def test_retraction_is_seen_at_once(
    client: Client, release: Release, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert "retracted" not in client.get(LABEL).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        publishing.retract(actor=None, slug=release.slug, reason="The judge was wrong.")

    assert "The judge was wrong." in client.get(f"{LABEL}?release={release.slug}").content.decode()
    assert _how(client, "/labels/") == "miss"


def test_page_that_moves_on_by_itself_is_not_kept(client: Client) -> None:
    make_demonstration_run()

    assert [_how(client, "/") for _ in range(2)] == ["miss", "miss"]


def test_another_start_of_the_server_has_pages_of_its_own(client: Client, release: Release, settings: Settings) -> None:
    client.get(LABEL)
    settings.PAGE_CACHE_EDITION = "another"

    assert _how(client) == "miss"


@pytest.mark.parametrize("address", [LABEL, "/explore/"])
def test_cache_can_be_switched_off(client: Client, release: Release, settings: Settings, address: str) -> None:
    settings.PAGE_CACHE = False

    assert [_how(client, address) for _ in range(2)] == ["", ""]


def test_site_answers_while_the_shared_cache_is_away(client: Client, release: Release, settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "unix:///nowhere.sock"}
    }

    answer = client.get(LABEL)

    assert (answer.status_code, answer.headers.get("X-Page-Cache")) == (200, None)


def test_message_for_a_visitor_is_shown_and_not_kept(client: Client, release: Release) -> None:
    client.get("/")
    client.force_login(User.objects.create_user("ada@example.org"))
    client.post("/accounts/logout/")

    shown: Callable[[], bool] = lambda: "You have signed out" in client.get("/").content.decode()  # noqa: E731

    assert [shown(), shown()] == [True, False]
