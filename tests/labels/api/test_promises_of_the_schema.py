"""What the API answers to anything that its description allows, and to much that it does not, is as described.

Schemathesis makes the requests from `/api/v1/schema/`: some 250 for `make test`, several thousand for `make fuzz`. What
needs a token is asked in tests/submissions/api.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from evaluation.models import Release
from tests.support.thorough import THOROUGH

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.fuzz]

EACH, LEAST = (150, 4_000) if THOROUGH else (6, 230)


@pytest.fixture
def description(small: Release) -> Iterator[Any]:
    """The API in this process, on the connection of the test, as Django's own test client has it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema/", WSGIHandler())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_answers_are_as_described(description: Any) -> None:
    statuses: Counter[int] = Counter()
    for found in description.get_all_operations():
        operation = found.ok()
        if "security" in operation.definition.raw:
            continue
        for mode in schemathesis.GenerationMode:

            @given(operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=EACH, derandomize=not THOROUGH, database=None, suppress_health_check=list(HealthCheck)
            )
            def answers_as_described(case: Any) -> None:
                # Its WSGI client does not unpack what is compressed.
                response = case.call(headers={"Accept-Encoding": "identity"})
                # A slug or a cursor of the right form that names nothing is rightly answered with 400.
                case.validate_response(response, excluded_checks=[positive_data_acceptance])
                statuses[response.status_code] += 1

            answers_as_described()

    assert set(statuses) <= {200, 400, 404, 406}
    assert sum(statuses.values()) >= LEAST
