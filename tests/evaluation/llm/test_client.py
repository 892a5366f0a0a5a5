"""Deadlines, pauses, pace and the breaker, around the direct path."""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from evaluation.engine.conversation import hold_conversation
from evaluation.engine.judge import compose_rubric, judge_conversation
from evaluation.engine.types import Completion, ModelCallError, TurnRecord
from evaluation.llm.attempt import redacted, seconds_to_wait, wait_asked_for
from evaluation.llm.client import Client, ModelConfiguration, open_client
from tests.evaluation.llm.conftest import HELLO, QUICK, Ask
from tests.support.conversations import METRIC, SCENARIO, SETTINGS
from tests.support.llm_server import Behaviour, ScriptedLLM


def client_of(server: ScriptedLLM, model: str = "target", **policy: Any) -> Client:
    return open_client(
        ModelConfiguration(model, f"openai/{model}", api_base=server.url), policy=replace(QUICK, **policy)
    )


def test_client_gives_up_an_attempt_that_hangs_and_tries_again(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", [Behaviour.hang(), "awake"])

    reply = ask(policy=replace(QUICK, attempt_seconds=0.2))

    assert isinstance(reply, Completion)
    assert (reply.text, reply.calls) == ("awake", 2)


def test_client_of_an_endpoint_that_always_hangs_ends_in_time(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", lambda _: Behaviour.hang())
    began = time.monotonic()

    error = ask(policy=replace(QUICK, attempt_seconds=0.2, total_seconds=0.3, attempts=50))

    assert isinstance(error, ModelCallError)
    assert error.reason == "timeout"
    assert time.monotonic() - began < 8


def test_client_waits_as_long_as_the_provider_asks(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", [Behaviour.error(429, retry_after="0.4"), "now"])
    began = time.monotonic()

    reply = ask()

    assert isinstance(reply, Completion)
    assert time.monotonic() - began >= 0.4


def test_client_does_not_wait_longer_than_it_may(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", [Behaviour.error(429, retry_after="3600"), "too late"])
    began = time.monotonic()

    error = ask()

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.calls) == ("rate-limited", 1)
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Mon, 30 Nov 2026 00:00:10 GMT", 10.0),
        ("Sun, 29 Nov 2026 00:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
        (None, None),
    ],
)
def test_seconds_to_wait(header: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(header, datetime(2026, 11, 30, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(
    ("header", "body", "seconds"),
    [
        ("2", '"retryDelay": "26s"', 2.0),
        (None, '"retryDelay": "26s"', 26.0),
        (None, r"\"retryDelay\": \"0.5s\"", 0.5),
        ("soon", "Quota exceeded. Please retry in 20.04s.", 20.04),
        (None, "Please retry in a minute. retryDelay: none, 26s", None),
    ],
)
def test_wait_stands_in_the_header_or_in_the_body(header: str | None, body: str, seconds: float | None) -> None:
    assert wait_asked_for(header, body) == seconds


def test_redacted_shortens_to_one_line() -> None:
    assert redacted("a\n b   sk-abcdefghij c", None) == "a b [key] c"
    assert len(redacted("x" * 5000, None)) == 300


def test_client_halves_its_pace_once_for_a_burst_of_429(server: ScriptedLLM) -> None:
    server.script("target", [Behaviour.error(429, retry_after="0")] * 6)

    async def burst() -> float:
        client = client_of(server)
        await asyncio.gather(*(client(HELLO) for _ in range(6)))
        await client.close()
        return client.pace.width

    assert 8.0 <= asyncio.run(burst()) < 10.0


def test_client_starts_modestly_and_grows(server: ScriptedLLM) -> None:
    server.script("target", lambda _: Behaviour.hang(0.05))

    async def many() -> float:
        client = client_of(server)
        await asyncio.gather(*(client(HELLO) for _ in range(100)))
        await client.close()
        return client.pace.width

    width = asyncio.run(many())

    assert width == 116.0
    assert 16 < server.most_in_flight <= 84


def test_client_breaker_stops_calling_a_dead_endpoint_and_tries_it_again(server: ScriptedLLM) -> None:
    server.script("target", [Behaviour.error(500)] * 4)

    async def calls() -> list[str]:
        client = client_of(server, attempts=1, failures_that_open_the_breaker=3, breaker_seconds=0.2)
        outcomes: list[Any] = []
        for _ in range(3):
            outcomes += await asyncio.gather(client(HELLO), return_exceptions=True)
        outcomes += await asyncio.gather(*(client(HELLO) for _ in range(5)), return_exceptions=True)
        while_open = len(server.calls)
        outcomes += await asyncio.gather(*(client(HELLO) for _ in range(5)), return_exceptions=True)
        await client.close()
        kinds = [o.detail if isinstance(o, ModelCallError) else "answered" for o in outcomes]
        return [*kinds, str(while_open)]

    down, waited = "HTTP 500: scripted", "the endpoint has failed many times in a row"
    assert asyncio.run(calls()) == [down] * 4 + [waited] * 4 + ["answered"] * 5 + ["4"]


def test_client_refusals_do_not_open_the_breaker(server: ScriptedLLM) -> None:
    server.script("target", [Behaviour.error(400, "no")] * 3)

    async def calls() -> Completion:
        client = client_of(server, failures_that_open_the_breaker=2, breaker_seconds=60)
        for _ in range(3):
            with pytest.raises(ModelCallError):
                await client(HELLO)
        reply = await client(HELLO)
        await client.close()
        return reply

    assert asyncio.run(calls()).calls == 1


def test_client_cancelled_in_flight_leaves_its_place(server: ScriptedLLM) -> None:
    server.script("target", [Behaviour.hang()] * 16)

    async def calls() -> str | None:
        client = client_of(server)
        hanging = [asyncio.create_task(client(HELLO)) for _ in range(16)]
        while len(server.calls) < 16:
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(client(HELLO))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)
        reply = await waiting
        await client.close()
        return reply.text

    assert asyncio.run(calls()) is not None


def test_client_can_be_used_again_after_close(server: ScriptedLLM) -> None:
    async def twice() -> int:
        client = client_of(server)
        for _ in range(2):
            await client(HELLO)
            await client.close()
        return len(server.calls)

    assert asyncio.run(twice()) == 2


def test_client_carries_a_whole_conversation_and_its_judgment(server: ScriptedLLM) -> None:
    server.judge_says(True, where="weigh the options")
    turns: list[TurnRecord] = []

    async def save(turn: TurnRecord) -> None:
        turns.append(turn)

    async def run() -> tuple[str, bool | None, list[bool]]:
        simulator, target, judge = (client_of(server, name) for name in ("simulator", "target", "judge"))
        outcome = await hold_conversation(
            METRIC,
            SCENARIO,
            SETTINGS,
            key="k",
            simulator=simulator,
            target=target,
            target_system_prompt=None,
            saved=(),
            save_turn=save,
            should_stop=lambda: False,
        )
        verdict = await judge_conversation(compose_rubric(METRIC), turns, judge)
        for client in (simulator, target, judge):
            await client.close()
        assert outcome is not None
        return outcome.reason, verdict.present, [quote.verified for quote in verdict.evidence]

    assert asyncio.run(run()) == ("turn-limit", True, [True])
    assert [call.model for call in server.calls] == ["simulator", "target"] * 3 + ["judge"]
    assert [turn.plan for turn in turns] == ["Plan for turn 1.", "Plan for turn 2.", "Plan for turn 3."]
