"""With an `Idempotency-Key`, a request that is sent again makes nothing twice."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from impactbench.accounts.api.once import KEPT_HOURS, forget_old
from impactbench.accounts.models import KeptAnswer
from impactbench.common import locking
from submissions.models import SourceImport, Submission
from tests.support.api_tokens import Program
from tests.support.portal import make_person
from tests.support.source_files import upload

BODY = {"content": {"title": "Asks before it advises", "known": "Ää"}}
TOLD = ("Location", "Content-Type", "Cache-Control")


def keyed(person: Any, key: str) -> Program:
    program = Program(person)
    program.headers["Idempotency-Key"] = key
    return program


def all_of(answer: Any) -> tuple[Any, ...]:
    return (answer.status_code, answer.content, *(answer.headers[name] for name in TOLD))


@pytest.mark.django_db
def test_same_key_and_body_make_one_draft_and_give_the_same_answer() -> None:
    program = keyed(make_person("Ada Author", "expert"), "7d9e")

    first = program.post("submissions/", BODY)
    Submission.objects.update(version=5)
    rewritten = json.dumps({"content": dict(reversed(BODY["content"].items()))}, indent=3, ensure_ascii=False)
    again = [program.post("submissions/", body) for body in (BODY, rewritten)]

    assert first.status_code == 201
    assert [all_of(answer) for answer in again] == [all_of(first)] * 2
    assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_key_belongs_to_one_request_of_one_person() -> None:
    ada = make_person("Ada Author", "expert", "editor")
    program, other = keyed(ada, "7d9e"), keyed(make_person("Bob Other", "expert"), "7d9e")

    program.post("submissions/", BODY)
    answers = [
        program.post("submissions/", {"content": {"title": "Another"}}),
        program.upload("imports/", upload()),
        other.post("submissions/", BODY),
        Program(ada).post("submissions/", BODY),
    ]

    assert [answer.status_code for answer in answers] == [422, 422, 201, 201]
    assert answers[0].json()["detail"] == (
        "This Idempotency-Key came with another request within the last 24 hours. Choose another key."
    )
    assert Submission.objects.count() == 3


@pytest.mark.django_db
def test_import_is_told_the_same_again_whatever_the_boundary() -> None:
    program = keyed(make_person("Ed Editor", "editor"), '"f3a1"')

    first, again = program.upload("imports/", upload()), program.upload("imports/", upload())
    other = program.upload("imports/", upload(name="other.yml"))

    assert (first.status_code, all_of(again)) == (201, all_of(first))
    assert other.status_code == 422
    assert SourceImport.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "a b", "ä", "x" * 256, "\t"])
def test_what_is_no_key_is_told(key: str) -> None:
    answer = keyed(make_person("Ada Author", "expert"), key).post("submissions/", BODY)

    assert (answer.status_code, Submission.objects.count()) == (400, 0)
    assert answer.json()["detail"] == "Idempotency-Key is 1 to 255 visible characters without spaces, such as a UUID."


@pytest.mark.django_db
def test_what_was_refused_may_be_put_right_under_the_same_key() -> None:
    program = keyed(make_person("Ada Author", "expert"), "7d9e")

    answers = [program.post("submissions/", body) for body in ({"unknown": 1}, BODY, BODY)]

    assert [answer.status_code for answer in answers] == [422, 201, 201]
    assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_key_is_free_again_after_a_day_whether_or_not_the_clock_came_by() -> None:
    program = keyed(make_person("Ada Author", "expert"), "7d9e")

    def grow_old() -> None:
        KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=KEPT_HOURS))

    program.post("submissions/", BODY)
    grow_old()
    second = program.post("submissions/", BODY)
    third = program.post("submissions/", BODY)
    grow_old()

    assert second.content == third.content
    assert (Submission.objects.count(), forget_old(), KeptAnswer.objects.count()) == (2, 1, 0)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_make_one_draft_and_the_late_ones_are_told_to_wait() -> None:
    programs = [keyed(make_person("Ada Author", "expert"), "7d9e")]
    programs += [Program(None) for _ in range(3)]
    start = threading.Barrier(len(programs))

    def ask(program: Program) -> Any:
        program.headers = programs[0].headers
        start.wait()
        try:
            return program.post("submissions/", BODY)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(programs)) as pool:
        answers = list(pool.map(ask, programs))

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    assert (Submission.objects.count(), KeptAnswer.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_under_way_the_second_is_told_when_to_ask_again() -> None:
    ada = make_person("Ada Author", "expert")
    program = keyed(ada, "7d9e")

    def ask() -> Any:
        try:
            return program.post("submissions/", BODY)
        finally:
            connection.close()

    digest = "210d79429477f2dd3265ca65b07cb3a6c4e571b49d562c86c500640cbf369317"
    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        assert locking.taken(f"idempotency {ada.pk} {digest}")
        answer = pool.submit(ask).result()

    assert (answer.status_code, answer.headers["Retry-After"], Submission.objects.count()) == (409, "5", 0)
    assert ask().status_code == 201
