"""The API without TLS is refused, and a token that came so is worth nothing any more."""

from typing import Any

import pytest
from django.test import Client

from impactbench.common.models import AuditEvent, OutgoingMail
from tests.impactbench.accounts.people import make_person
from tests.support.api_tokens import Program

pytestmark = pytest.mark.django_db
SUBMISSIONS = "/api/v1/submissions/"


@pytest.fixture(autouse=True)
def _tls(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def test_api_without_tls_is_refused_and_pages_lead_to_tls(client: Client) -> None:
    found = [client.get(path) for path in ("/api/v1/models/", SUBMISSIONS, "/api/nothing", "/about/")]

    assert [answer.status_code for answer in found] == [403, 403, 403, 301]
    assert found[0].json() == {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": "This API speaks HTTPS alone: use https:// in the address. A token that comes without it is revoked.",
        "instance": "/api/v1/models/",
    }
    assert [found[0].headers[name] for name in ("Content-Type", "Cache-Control")] == [
        "application/problem+json", "no-store",
    ]  # fmt: skip
    assert found[3].headers["Location"] == "https://testserver/about/"


def test_token_that_came_without_tls_is_revoked_and_its_owner_told() -> None:
    ada = make_person("ada@example.org", "expert")
    program = Program(ada)

    found = [
        program.client.get(SUBMISSIONS, headers=program.headers, secure=True),
        program.client.get("/about/", headers=program.headers),
        program.client.get(SUBMISSIONS, headers=program.headers, secure=True),
        program.client.get("/api/v1/models/", headers=program.headers),
        program.client.get("/api/v1/models/", headers=program.headers),
        program.client.get(SUBMISSIONS, headers=program.headers, secure=True),
    ]

    letter = OutgoingMail.objects.get(event="token-sent-openly")
    event = AuditEvent.objects.get(action="token-revoked")
    assert [answer.status_code for answer in found] == [200, 301, 200, 403, 403, 401]
    assert (letter.recipient, letter.kind) == (ada, "account")
    assert letter.text.startswith(f"The token that begins with {program.token.beginning} came to the API without TLS")
    assert program.text not in letter.text
    assert (event.actor, event.details) == (None, {"why": "sent without TLS"})


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer ib_nothing", "Basic YTpi", "\x7f"])
def test_what_is_no_token_is_refused_alike(client: Client, said: str) -> None:
    answer = client.get(SUBMISSIONS, headers={"authorization": said})

    assert (answer.status_code, OutgoingMail.objects.count()) == (403, 0)
