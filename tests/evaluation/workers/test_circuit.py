"""When a model rests, for how long, and what ends it."""

import time

import pytest

from evaluation.workers import circuit
from evaluation.workers.circuit import RESTS_THAT_STOP, Circuit


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time; a test moves it."""
    now = [1000.0]
    monkeypatch.setattr(circuit.time, "time", lambda: now[0])
    return now


def test_rests_double_and_an_answer_ends_them(clock: list[float]) -> None:
    told: list[tuple[str, str]] = []
    doctor = Circuit(lambda model, why: told.append((model, why)))
    lengths = []
    for _ in range(3):
        doctor.failed("luna", "rate-limited", "slow down")
        lengths.append(doctor.rest_of("luna")[1] - clock[0])
        clock[0] += lengths[-1]

    assert lengths == [5.0, 10.0, 20.0]
    assert (doctor.rests("luna"), doctor.is_on_trial("luna"), doctor.has_given_up("luna")) == (False, True, False)
    assert told == [("luna", "model luna kept refusing calls because of its rate limit (slow down)")]

    doctor.succeeded("luna")
    assert (doctor.is_on_trial("luna"), doctor.rest_of("luna")) == (False, (0, 0.0, ""))


def test_provider_is_left_alone_as_long_as_it_asks_and_late_failures_are_no_new_rest(clock: list[float]) -> None:
    doctor = Circuit()
    doctor.failed("luna", "rate-limited", "", retry_after=90)
    doctor.failed("luna", "rate-limited", "", retry_after=100)
    doctor.failed("luna", "rate-limited", "")

    assert doctor.rest_of("luna") == (1, clock[0] + 100, "rate-limited")
    assert not doctor.rests("sol")


def test_one_failure_in_time_is_bad_luck_and_many_are_the_models(clock: list[float]) -> None:
    doctor = Circuit()
    for _ in range(9):
        doctor.failed("luna", "timeout", "")
    assert (doctor.rests("luna"), doctor.is_open("luna", "timeout")) == (False, False)

    doctor.failed("luna", "timeout", "")
    assert (doctor.rests("luna"), doctor.is_open("luna", "timeout")) == (True, True)
    assert not doctor.is_open("luna", "unreachable")


def test_wrong_key_is_given_up_at_once_and_a_refused_prompt_is_no_matter_of_health(clock: list[float]) -> None:
    doctor = Circuit()
    doctor.failed("luna", "denied", "HTTP 401")
    doctor.failed("sol", "context-overflow", "too long")

    assert (doctor.has_given_up("luna"), doctor.rest_of("luna")[0]) == (True, RESTS_THAT_STOP)
    assert doctor.rest_of("sol") == (0, 0.0, "")


def test_rest_of_an_earlier_slice_is_gone_on_with() -> None:
    doctor = Circuit()
    doctor.adopt("luna", rests=2, rests_until=time.time() + 60, reason="rate-limited")

    assert doctor.rests("luna")
    assert doctor.sentence("luna") == "model luna kept refusing calls because of its rate limit"
