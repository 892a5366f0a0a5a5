"""How long a session lives, and who can end it."""

import logging
import re
import time
from datetime import timedelta
from io import StringIO

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from impactbench.accounts.session_age import SEEN, STARTED, forget_ended
from tests.impactbench.accounts.people import make_person, sign_in, signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("key", "seconds", "status"),
    [
        (SEEN, settings.SESSION_COOKIE_AGE - 60, 200),
        (SEEN, settings.SESSION_COOKIE_AGE, 302),
        (STARTED, settings.SESSION_LIFETIME_SECONDS - 60, 200),
        (STARTED, settings.SESSION_LIFETIME_SECONDS, 302),
    ],
)
def test_session_ends_when_idle_or_old(client: Client, key: str, seconds: int, status: int) -> None:
    client.force_login(make_person())
    session = client.session
    session[key] = int(time.time()) - seconds
    session.save()

    assert client.get("/accounts/profile/").status_code == status


def test_visit_is_noted_now_and_then(client: Client) -> None:
    client.force_login(make_person())
    session = client.session
    session[SEEN] = int(time.time()) - 3600
    session.save()

    first = client.get("/accounts/data/")
    second = client.get("/accounts/data/")

    assert client.session[SEEN] >= time.time() - 60
    assert (settings.SESSION_COOKIE_NAME in first.cookies, settings.SESSION_COOKIE_NAME in second.cookies) == (
        True,
        False,
    )


def test_page_shows_all_sessions_and_ends_the_others(client: Client) -> None:
    user = make_person()
    signed_in(client, user)
    elsewhere = Client(HTTP_USER_AGENT="A phone")
    assert sign_in(elsewhere)

    page = client.get("/accounts/sessions/").content.decode()
    client.post("/accounts/sessions/")

    assert "A phone" in page
    assert elsewhere.get("/accounts/profile/").status_code == 302
    assert client.get("/accounts/profile/").status_code == 200


def test_visitors_without_a_session_cost_no_query_for_the_header(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/accounts/login/")

    assert "Sign in" in page.content.decode()
    assert not [query for query in queries if "session" in query["sql"] or "accounts_user" in query["sql"]]


def test_pages_of_people_who_are_signed_in_are_private(client: Client) -> None:
    anonymous = client.get("/about/")
    client.force_login(make_person(name="Ada"))
    own = client.get("/about/")

    assert "Signed in as" in own.content.decode()
    assert (own["Cache-Control"], anonymous.has_header("Cache-Control")) == ("private", False)
    assert "Cookie" in anonymous["Vary"]


def test_pages_of_ones_own_are_left_in_no_cache(client: Client) -> None:
    client.force_login(make_person("ada@example.org", "expert", "editor"))

    for path in ("/accounts/profile/", "/submissions/", "/review/", "/submissions/unknown/", "/runs/"):
        assert {"private", "no-store"} <= set(client.get(path)["Cache-Control"].split(", ")), path


def test_signing_out_clears_what_the_device_keeps_and_nothing_else_does(client: Client) -> None:
    client.force_login(make_person())
    saved = client.post("/accounts/profile/", {"name": "Ada"})
    out = client.post("/accounts/logout/")
    again = client.post("/accounts/login/", {"login": "x@example.org", "password": "x"})

    assert (out.status_code, out["Clear-Site-Data"]) == (302, '"storage"')
    assert [answer.has_header("Clear-Site-Data") for answer in (saved, again)] == [False, False]


def test_session_that_ended_by_itself_leaves_the_unsaved_text_on_the_device(client: Client) -> None:
    client.force_login(make_person())
    session = client.session
    session[SEEN] = int(time.time()) - settings.SESSION_COOKIE_AGE
    session.save()

    response = client.post("/submissions/x/", {"definition": "words"})

    assert (response.status_code, response.has_header("Clear-Site-Data")) == (403, False)


def test_signing_in_gives_a_new_session(client: Client) -> None:
    client.get("/accounts/login/")
    client.session.save()
    make_person()
    signed_in(client, make_person("bob@example.org"))
    first = client.session.session_key
    client.post("/accounts/logout/")
    assert sign_in(client)

    assert client.session.session_key != first


def test_operator_of_the_machine_ends_the_sessions_of_one_or_of_all() -> None:
    one, other = make_person("one@example.org"), make_person("other@example.org")
    first, second, third = Client(), Client(), Client()
    for client, person in ((first, one), (second, one), (third, other)):
        client.force_login(person)
    out = StringIO()

    call_command("end_sessions", "ONE@example.org", stdout=out)
    after_one = [client.get("/accounts/profile/").status_code for client in (first, second, third)]
    call_command("end_sessions", "--everybody", stdout=out)

    assert out.getvalue().splitlines()[0] == "one@example.org: 2 sessions ended, 0 tokens of programs revoked"
    assert after_one == [302, 302, 200]
    assert third.get("/accounts/profile/").status_code == 302


def test_signing_in_and_its_refusals_are_logged_without_an_address(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    person = make_person("ada@example.org")
    caplog.set_level(logging.INFO, "impactbench.accounts.sign_in")

    sign_in(client, "ada@example.org", "a wrong password")
    sign_in(client, "ada@example.org")
    client.post("/accounts/logout/")

    lines = [record.getMessage() for record in caplog.records if record.name == "impactbench.accounts.sign_in"]
    assert re.fullmatch(r"visitor [0-9a-f]{12} was refused to sign in", lines[0])
    assert lines[1:] == [f"{person} signed in by password", f"{person} signed out"]


def test_what_is_over_is_forgotten_with_its_network_address() -> None:
    idle, used = Client(), Client()
    for client, address in ((idle, "idle@example.org"), (used, "used@example.org")):
        signed_in(client, make_person(address))
    key = idle.cookies[settings.SESSION_COOKIE_NAME].value
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    before = UserSession.objects.count()

    assert forget_ended() == 1

    assert (before, UserSession.objects.count(), Session.objects.count()) == (2, 1, 1)
    assert not UserSession.objects.filter(session_key=key).exists()
    assert used.get("/accounts/profile/").status_code == 200
