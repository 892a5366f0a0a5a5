"""A token opens what it was made for, as long as it and its owner's account may; a session opens nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from impactbench.accounts.api import bearer
from impactbench.accounts.models import AccessToken
from impactbench.accounts.services import revoke_role
from impactbench.accounts.tokens.services import revoke_token
from impactbench.accounts.tokens.texts import new_text
from submissions.models import Submission
from tests.support.api_tokens import API, Program
from tests.support.portal import make_person

pytestmark = pytest.mark.django_db
LIST = f"{API}submissions/"


def told(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


def test_without_a_token_one_is_told_how_to_get_one(client: Client) -> None:
    response = client.get(LIST)

    assert told(response) == (401, bearer.MISSING)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="ImpactBench API"'


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer x", f"Bearer {new_text()}", f"Basic {new_text()}", "Bearer é\x00"],
    ids=["empty", "malformed", "unknown", "another kind", "no text"],
)
def test_what_is_no_token_opens_nothing(client: Client, header: str) -> None:
    response = client.get(LIST, headers={"Authorization": header})

    assert told(response) == (401, bearer.UNKNOWN)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="ImpactBench API", error="invalid_token"'


def test_dead_tokens_are_told_apart() -> None:
    ada = make_person("Ada Author", "expert")
    revoked, expired, closed = (Program(ada) for _ in range(3))
    revoke_token(revoked.token, by=ada)
    long_ago = timezone.now() - timedelta(days=30)
    AccessToken.objects.filter(pk=expired.token.pk).update(created_at=long_ago, expires_at=long_ago + timedelta(days=7))

    before = closed.get("submissions/").status_code
    found = [told(program.get("submissions/")) for program in (revoked, expired)]
    ada.is_active = False
    ada.save()

    assert before == 200
    assert found == [(401, bearer.REVOKED), (401, bearer.EXPIRED)]
    assert told(closed.get("submissions/")) == (401, bearer.CLOSED)


def test_missing_scope_is_named() -> None:
    program = Program(make_person("Ada Author", "expert"), "submissions:read")

    response = program.post("submissions/")

    assert told(response) == (
        403, "This token does not allow “submissions:write”. Make one that does at /accounts/tokens/.",
    )  # fmt: skip
    assert Submission.objects.count() == 0


def test_role_that_is_lost_is_lost_at_the_next_request() -> None:
    ed = make_person("Ed Editor", "editor")
    program = Program(ed)
    before = program.get("imports/").status_code

    revoke_role(ed, "editor", by=None)

    assert before == 200
    assert told(program.get("imports/")) == (403, "This needs the role “editor”, which your account does not have.")


def test_role_that_asks_for_a_second_factor_gets_nothing_without(settings: Any) -> None:
    program = Program(make_person("Ed Editor", "editor"))
    settings.REQUIRE_SECOND_FACTOR = True

    assert told(program.get("submissions/")) == (403, bearer.NO_SECOND_FACTOR)


def test_session_counts_for_nothing(client: Client) -> None:
    client.force_login(make_person("Ada Author", "expert"))

    read, written = client.get(LIST), client.post(LIST, {}, content_type="application/json")

    assert [told(response) for response in (read, written)] == [(401, bearer.MISSING)] * 2
    assert "Clear-Site-Data" not in written.headers
    assert client.get("/accounts/data/").status_code == 200
    assert Submission.objects.count() == 0


def test_private_answers_are_for_nobody_else() -> None:
    program = Program(make_person("Ada Author", "expert"))

    read, asked = program.get("submissions/"), program.client.options(LIST, headers=program.headers)

    assert "no-store" in read.headers["Cache-Control"]
    assert read.headers["Vary"] == "Authorization"
    assert [response.has_header("Access-Control-Allow-Origin") for response in (read, asked)] == [False, False]
    assert read.has_header("ETag") is False


def test_token_is_counted_by_itself(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.API_TOKEN_REQUESTS_A_MINUTE = 2
    monkeypatch.setattr("time.time", lambda: 1_800_000_070.0)
    ada = make_person("Ada Author", "expert")
    first, second = Program(ada), Program(ada)

    found = [first.get("submissions/").status_code for _ in range(3)]

    assert (found, second.get("submissions/").status_code) == ([200, 200, 429], 200)


def test_guesses_are_counted_before_a_token_is_looked_for(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.API_REQUESTS_A_MINUTE = 2
    monkeypatch.setattr("time.time", lambda: 1_800_000_130.0)
    guess = {"Authorization": f"Bearer {new_text()}"}

    assert [Client().get(LIST, headers=guess).status_code for _ in range(3)] == [401, 401, 429]


def test_token_is_in_no_line_of_the_log(caplog: Any) -> None:
    program = Program(make_person("Ada Author", "expert"), "submissions:read")
    caplog.set_level("DEBUG")

    for response in (program.post("submissions/"), program.get(f"submissions/?token={program.text}")):
        assert response.status_code in (400, 403)
        assert program.text not in response.content.decode()

    assert program.text not in caplog.text
