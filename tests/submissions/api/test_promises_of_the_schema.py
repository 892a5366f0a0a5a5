"""To whoever has a token, the private part of the API answers as described, and tells nobody of the work of others.

Schemathesis makes the requests: some 100 for `make test`, thousands for `make fuzz`; those for everybody are made in
tests/labels/api. Half of those about a submission are about one's own, the others about anything.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from submissions.content import Content
from submissions.states import State
from tests.support.api_tokens import Program
from tests.support.portal import make_assignment, make_person, make_submission
from tests.support.thorough import THOROUGH

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.fuzz]

EACH, LEAST = (60, 1_000) if THOROUGH else (2, 20)
PRIVATE = ("/api/v1/submissions/", "/api/v1/imports/")
# Made anew: Hypothesis also sends words that it finds in our files.
SECRET = token_hex()
ROLES = {"submitter": ("expert",), "reviewer": ("reviewer",), "editor": ("expert", "editor")}


@pytest.fixture
def description() -> Iterator[Any]:
    """The API in this process, on the connection of the test, as Django's own test client has it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema/", with_an_address(WSGIHandler()))
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def with_an_address(site: Any) -> Any:
    """Every server says where a request came from; the client of Schemathesis does not."""
    return lambda environ, start: site({"REMOTE_ADDR": "127.0.0.1", **environ}, start)


def private_operations(description: Any) -> list[Any]:
    found = [one.ok() for one in description.get_all_operations()]
    return [operation for operation in found if operation.path.startswith(PRIVATE)]


def ask_often(operation: Any, mode: Any, ask: Any, ids: tuple[str, ...]) -> None:
    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EACH, derandomize=not THOROUGH, database=None, suppress_health_check=list(HealthCheck))
    def answers_as_described(case: Any) -> None:
        ask(case, ids)

    answers_as_described()


@pytest.mark.parametrize("role", ROLES)
def test_answers_are_as_described_and_leak_nothing(description: Any, role: str, django_settings: Any) -> None:
    person = make_person("Ada Asker", *ROLES[role])
    program, own = Program(person), make_submission(person)
    other = make_submission(make_person("Bob Other", "expert"), State.IN_REVIEW, Content(title=SECRET))
    if role == "reviewer":
        make_assignment(other.rounds.get(), person)
    statuses: Counter[int] = Counter()

    def ask(case: Any, ids: tuple[str, ...]) -> None:
        if ids and "public_id" in (case.path_parameters or {}):
            case.path_parameters["public_id"] = ids[sum(statuses.values()) % len(ids)]
        # Its WSGI client does not unpack what is compressed.
        response = case.call(headers={"Accept-Encoding": "identity", **program.headers})
        case.validate_response(response, excluded_checks=[positive_data_acceptance, ignored_auth])
        assert SECRET not in response.text
        assert other.public_id not in response.text.replace(case.formatted_path, "")
        statuses[response.status_code] += 1

    for operation in private_operations(description):
        ask_often(operation, schemathesis.GenerationMode.POSITIVE, ask, (own.public_id, other.public_id))
        ask_often(operation, schemathesis.GenerationMode.NEGATIVE, ask, ())

    assert set(statuses) <= {200, 201, 400, 401, 403, 404, 406, 409, 413, 415, 422}
    assert sum(statuses.values()) >= LEAST


@pytest.fixture
def django_settings(settings: Any, tmp_path: Path) -> Any:
    settings.PRIVATE_FILES = tmp_path
    settings.REFUSALS_AN_HOUR = 1_000_000
    return settings


def test_every_private_address_asks_for_a_token(description: Any, client: Any) -> None:
    asked = Counter[int]()
    for operation in private_operations(description):
        path = operation.path.replace("{public_id}", "S-XXXXXX").replace("{id}", "1")
        asked[client.generic(operation.method.upper(), path).status_code] += 1

    assert set(asked) == {401}
    assert asked[401] >= 10
