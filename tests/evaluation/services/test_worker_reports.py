"""What workers say of themselves, and for how long it is believed."""

import json
import os
from collections.abc import Iterator

import pytest
from redis import Redis

from evaluation.services import worker_reports
from evaluation.services.worker_reports import CallsNow, calls_key, calls_now, encoded_calls, known_keys
from evaluation.workers import key_watch
from tests.support.builders import make_model

RUN = 4242


@pytest.fixture
def redis() -> Iterator[Redis]:
    redis = worker_reports._redis()
    redis.delete(worker_reports._KEYS, calls_key(RUN))
    yield redis
    redis.delete(worker_reports._KEYS, calls_key(RUN))


def _now(redis: Redis) -> float:
    return worker_reports._now(redis)


def test_keys_of_all_living_workers_are_known_by_name(redis: Redis) -> None:
    assert known_keys() is None

    worker_reports.report_keys("a", ["ONE_KEY"])
    worker_reports.report_keys("b", ["TWO_KEY"])
    redis.hset(worker_reports._KEYS, "gone", json.dumps({"at": _now(redis) - 60, "names": ["OLD_KEY"]}))

    assert known_keys() == {"ONE_KEY", "TWO_KEY"}


@pytest.mark.django_db
def test_a_worker_tells_names_of_keys_also_of_models_to_come_and_no_value(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_model("one", api_key_env="ONE")
    make_model("two", api_key_env="TWO")
    make_model("three")
    monkeypatch.setattr(os, "environ", {"ONE": "sk-secret", "TWO": " ", "NEW_KEY": "x", "EMPTY_KEY": "", "PATH": "/"})

    worker_reports.report_keys("a", key_watch.names_of_keys())

    assert known_keys() == {"ONE", "NEW_KEY"}
    assert b"secret" not in b"".join(redis.hvals(worker_reports._KEYS))  # type: ignore[arg-type]


def test_calls_of_living_workers_are_added_and_a_rest_outlives_its_reporter(redis: Redis) -> None:
    now = _now(redis)
    for owner, at, calls in (
        ("a", now, CallsNow(3, 1)),
        ("b", now, CallsNow(2, 4)),
        ("gone", now - 60, CallsNow(9, 9, now + 60, 2, "rate-limited")),
    ):
        redis.hset(calls_key(RUN), owner, encoded_calls(at, {"luna": calls}))

    assert calls_now(RUN) == {"luna": CallsNow(5, 5, now + 60, 2, "rate-limited")}

    worker_reports.forget_calls(RUN)
    assert calls_now(RUN) == {}
