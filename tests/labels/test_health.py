"""`/healthz` and `/readyz`."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import RequestFactory

from labels.views.health import healthz, readyz


@pytest.fixture
def broker(settings: Any) -> None:
    """The cache's server also speaks as a broker."""
    address = settings.CACHES["default"]["LOCATION"]
    settings.CELERY_BROKER_URL = address.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")


def answer(rf: RequestFactory) -> tuple[int, Any]:
    response = readyz(rf.get("/readyz"))
    return response.status_code, json.loads(response.content)


def test_healthz_answers_without_a_database(rf: RequestFactory) -> None:
    response = healthz(rf.get("/healthz"))

    assert (response.status_code, response.content) == (200, b'{"alive": true}')
    assert response.headers["Cache-Control"] == "no-store"


def test_health_takes_no_writing(rf: RequestFactory) -> None:
    assert (healthz(rf.post("/healthz")).status_code, readyz(rf.post("/readyz")).status_code) == (405, 405)


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_readyz_is_ready_when_both_answer(rf: RequestFactory) -> None:
    assert answer(rf) == (200, {"ready": True, "database": "answers", "broker": "answers"})


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["redis+socket:///nowhere.sock", "nonsense://"])
def test_readyz_names_a_broker_that_is_away(rf: RequestFactory, settings: Any, address: str) -> None:
    settings.CELERY_BROKER_URL = address

    assert answer(rf) == (503, {"ready": False, "database": "answers", "broker": "does not answer"})


@pytest.mark.django_db
def test_readyz_does_not_wait_for_a_broker_that_hangs(rf: RequestFactory, settings: Any, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "s"))
        silent.listen()
        settings.CELERY_BROKER_URL = f"redis+socket://{tmp_path}/s"

        assert answer(rf)[0] == 503


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_readyz_names_a_database_that_is_away(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")

    assert answer(rf) == (503, {"ready": False, "database": "does not answer", "broker": "answers"})
