"""What is logged holds nobody's words and no link that opens something."""

import io
import json
import logging
import logging.config

import pytest
from django.conf import settings
from django.core import mail
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from impactbench.common.log_lines import JsonFormatter, LineFormatter, about_run

SECRET = "a sentence of a review\nwith a second line"


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a fault of ours")


urlpatterns = [path("fail/", fail)]


def _logged(level: int, message: str, *, error: Exception | None = None) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LineFormatter("%(message)s"))
    logger = logging.getLogger("tests.log_lines")
    logger.addHandler(handler)
    try:
        logger.log(level, message, exc_info=error)
    finally:
        logger.removeHandler(handler)
    return stream.getvalue()


@pytest.mark.django_db
def test_row_that_the_database_refused_is_left_out() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept (words text, number int NOT NULL)")
    with pytest.raises(IntegrityError, match="a sentence") as refused, transaction.atomic():
        connection.cursor().execute("INSERT INTO kept VALUES (%s, NULL)", [SECRET])
    line = _logged(logging.ERROR, "it failed", error=refused.value)

    assert "a sentence" not in line
    assert "second line" not in line
    assert "violates not-null constraint" in line
    assert line.count("DETAIL: (left out)") == 2
    assert "The above exception was the direct cause" in line


@pytest.mark.django_db
def test_statement_that_the_database_could_not_read_is_left_out() -> None:
    with pytest.raises(ProgrammingError, match="second line") as refused, transaction.atomic():
        connection.cursor().execute("SELECT %s, nothing", [SECRET])

    line = _logged(logging.ERROR, "it failed", error=refused.value)

    assert "a second line" not in line
    assert 'column "nothing" does not exist' in line


def test_links_that_open_something_are_left_out() -> None:
    line = _logged(logging.WARNING, f"Forbidden: /accounts/sign-in/{'eyJ1c2VyIjox:1uXyZ' * 3}/")

    assert line == "Forbidden: /accounts/sign-in/(token)/\n"


@override_settings(ROOT_URLCONF=__name__, ADMINS=[("Op", "op@example.org")], MIDDLEWARE=[])
def test_fault_mails_nobody_and_logs_no_text_of_the_form(capsys: pytest.CaptureFixture[str]) -> None:
    client = Client(raise_request_exception=False)
    logging.config.dictConfig(settings.LOGGING)
    try:
        response = client.post("/fail/", {"private_remark": "a sentence of a review"})
    finally:
        written = capsys.readouterr().err

    assert response.status_code == 500
    assert mail.outbox == []
    assert "a fault of ours" in written
    assert "a sentence" not in written


def test_line_names_the_run_that_it_is_about() -> None:
    with about_run("pilot"):
        line = _logged(logging.WARNING, "a model rests")

    assert line == "a model rests [run pilot]\n"
    assert _logged(logging.WARNING, "a model rests") == "a model rests\n"


def test_json_line_has_what_a_program_asks_for_and_no_token() -> None:
    record = logging.LogRecord("site", logging.ERROR, "", 0, "Not found: /accounts/sign-in/%s/", ("x" * 40,), None)
    record.created = 0.0

    with about_run("pilot"):
        line = json.loads(JsonFormatter().format(record))

    assert line == {
        "time": "1970-01-01T00:00:00+00:00",
        "level": "ERROR",
        "logger": "site",
        "message": "Not found: /accounts/sign-in/(token)/",
        "run": "pilot",
    }
