"""Each request has one id, wherever it is spoken of."""

import logging

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client

from impactbench.accounts.models import User
from impactbench.common.audit import record
from impactbench.common.log_lines import LineFormatter
from impactbench.common.request_ids import current_request_id, request_id


def _line() -> str:
    return LineFormatter("%(message)s").format(logging.LogRecord("x", logging.ERROR, "", 0, "Hello", None, None))


def test_answers_carry_ids_of_our_own(client: Client) -> None:
    first = client.get("/healthz", headers={"X-Request-Id": "forged"}).headers["X-Request-Id"]
    second = client.get("/healthz").headers["X-Request-Id"]

    assert first != second
    assert {len(first), len(second)} == {32}
    assert first.isalnum()


@pytest.mark.django_db
def test_audit_and_log_name_the_request() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        user = User.objects.create_user("ada@example.org")
        event = record(actor=user, action="tried", target=user)
        return HttpResponse(f"{event.request_id}|{_line()}")

    response = request_id(view)(HttpRequest())

    number = response.headers["X-Request-Id"]
    assert response.content.decode() == f"{number}|Hello [request {number}]"


def test_nothing_is_left_after_the_request() -> None:
    def failing(request: HttpRequest) -> HttpResponse:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        request_id(failing)(HttpRequest())

    assert (current_request_id(), _line()) == ("", "Hello")
