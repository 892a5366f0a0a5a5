"""The direct path: what is sent, and what becomes of every kind of answer."""

import asyncio
import hashlib
import json
import traceback
from decimal import Decimal
from typing import Any

import pytest

from evaluation.engine.types import Completion, ModelCallError
from evaluation.llm.attempt import counts_in
from evaluation.llm.client import ModelConfiguration, open_client
from tests.evaluation.llm.conftest import HELLO, QUICK, Ask
from tests.support.llm_server import Behaviour, Call, ScriptedLLM

KEY = "sk-very-secret-0123456789"
SCHEMA = {
    "title": "verdict",
    "type": "object",
    "properties": {
        "why": {"type": "string", "maxLength": 9},
        "list": {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 3}},
    },
}


def test_direct_sends_model_messages_and_parameters(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", ["hi"])

    reply = ask(parameters={"temperature": 0.5, "max_tokens": 100})

    assert isinstance(reply, Completion)
    assert (reply.text, reply.finish_reason, reply.calls, reply.retries) == ("hi", "stop", 1, 0)
    assert server.calls[0].body == {
        "model": "target",
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.5,
        "max_tokens": 100,
    }


def test_direct_takes_the_calls_token_limit_over_the_configurations(server: ScriptedLLM, ask: Ask) -> None:
    ask(parameters={"max_tokens": 100}, call={"max_tokens": 7})

    assert server.calls[0].body["max_tokens"] == 7


def test_direct_asks_for_a_schema_strictly(server: ScriptedLLM, ask: Ask) -> None:
    ask(call={"schema": SCHEMA})

    assert server.calls[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "schema": SCHEMA, "strict": True},
    }


def test_direct_learns_which_form_of_schema_an_endpoint_takes(server: ScriptedLLM) -> None:
    def picky(call: Call) -> Behaviour:
        if "response_format" in call.body:
            return Behaviour.error(400, "Invalid schema for response_format: something is not permitted")
        return Behaviour.says("{}")

    server.script("judge", picky)

    async def two_calls() -> list[Completion]:
        client = open_client(ModelConfiguration("j", "openai/judge", api_base=server.url), policy=QUICK)
        replies = [await client(HELLO, schema=SCHEMA), await client(HELLO, schema=SCHEMA)]
        await client.close()
        return replies

    first, second = asyncio.run(two_calls())

    assert (first.text, first.calls, second.calls) == ("{}", 3, 1)
    loose = server.calls[1].body["response_format"]["json_schema"]["schema"]["properties"]
    assert loose == {"why": {"type": "string"}, "list": {"type": "array", "items": {"type": "string"}}}


def test_direct_learns_the_new_name_of_the_token_limit_for_all_calls_in_flight(server: ScriptedLLM) -> None:
    def picky(call: Call) -> Behaviour:
        if "max_tokens" in call.body:
            return Behaviour.error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return Behaviour.says(str(call.body["max_completion_tokens"]))

    server.script("target", picky)

    async def many_calls() -> list[Completion]:
        client = open_client(ModelConfiguration("t", "openai/target", api_base=server.url), policy=QUICK)
        replies = await asyncio.gather(*(client(HELLO, max_tokens=9) for _ in range(8)))
        await client.close()
        return replies

    assert [reply.text for reply in asyncio.run(many_calls())] == ["9"] * 8


def test_direct_reports_usage_and_prices_cached_tokens_once(server: ScriptedLLM, ask: Ask) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 800}}
    server.script("target", [Behaviour(usage=usage)])

    reply = ask(input_usd_per_million=2.0, output_usd_per_million=10.0)

    assert isinstance(reply, Completion)
    assert (reply.input_tokens, reply.cached_input_tokens, reply.output_tokens) == (1000, 800, 10)
    assert reply.cost_usd == Decimal("0.0021")


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": -1, "completion_tokens": True}, {"prompt_tokens": "9"}])
def test_direct_leaves_unreported_usage_unknown(server: ScriptedLLM, ask: Ask, usage: dict[str, Any]) -> None:
    server.script("target", [Behaviour(usage=usage)])

    reply = ask(input_usd_per_million=2.0, output_usd_per_million=10.0)

    assert isinstance(reply, Completion)
    assert (reply.input_tokens, reply.cached_input_tokens, reply.output_tokens, reply.cost_usd) == (None,) * 4


@pytest.mark.parametrize("finish_reason", ["stop", "length", "content_filter"])
def test_direct_keeps_null_content_and_the_finish_reason(server: ScriptedLLM, ask: Ask, finish_reason: str) -> None:
    server.script("target", [Behaviour.says(None, finish_reason)])

    reply = ask()

    assert isinstance(reply, Completion)
    assert (reply.text, reply.finish_reason) == (None, finish_reason)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None, "refusal": "I won't."}, "I won't."),
        ({"content": "", "reasoning_content": "secret"}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]}, "ab"),
        ({"content": "a\0b\ud800c"}, "ab\ufffdc"),
        ({"content": 7}, None),
        ({}, None),
    ],
)
def test_direct_reads_every_shape_of_message(
    server: ScriptedLLM, ask: Ask, message: dict[str, Any], text: str | None
) -> None:
    server.script("target", [Behaviour.rubbish(json.dumps({"choices": [{"message": message}]}).encode())])

    reply = ask()

    assert isinstance(reply, Completion)
    assert (reply.text, reply.finish_reason) == (text, "unknown")


@pytest.mark.parametrize(
    "content",
    [
        b"<html>hello",
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": "x"}]}',
        b'{"error": "no"}',
        b"[" * 200_000,
    ],
)
def test_direct_calls_rubbish_a_bad_reply_and_does_not_ask_again(server: ScriptedLLM, ask: Ask, content: bytes) -> None:
    server.script("target", [Behaviour.rubbish(content)])

    error = ask()

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.calls, error.retries) == ("bad-reply", 1, 0)


def test_direct_stops_reading_a_reply_without_end(server: ScriptedLLM, ask: Ask) -> None:
    server.script("target", [Behaviour.rubbish(b" " * (9 * 1024 * 1024))])

    error = ask()

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.detail) == ("bad-reply", "the reply is larger than 8 MB")


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour.error(401, "bad key"), "denied"),
        (Behaviour.error(403, "no"), "refused"),
        (Behaviour.error(404, "no such model"), "denied"),
        (Behaviour.error(400, "temperature must be 1"), "refused"),
        (Behaviour.error(301, "moved"), "denied"),
        (Behaviour.error(429, "You exceeded your current quota", code="insufficient_quota"), "denied"),
        (Behaviour.error(429, "no credit", code="insufficient_quota", retry_after="1"), "denied"),
        (Behaviour.error(400, "The response was filtered", code="content_filter"), "filtered"),
        (Behaviour.error(400, "This model's maximum context length is 8192 tokens"), "context-overflow"),
        (Behaviour.error(400, "no", code="context_length_exceeded"), "context-overflow"),
        (Behaviour.error(413, "prompt is too long"), "context-overflow"),
        (Behaviour.rubbish(b'{"error": {"code": 401, "message": "x"}}'), "denied"),
    ],
)
def test_direct_never_repeats_what_cannot_change(
    server: ScriptedLLM, ask: Ask, behaviour: Behaviour, reason: str
) -> None:
    server.script("target", [behaviour])

    error = ask()

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.calls, len(server.calls)) == (reason, 1, 1)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour.error(429, "slow down", retry_after="0"), "rate-limited"),
        (Behaviour.error(500, "boom"), "unreachable"),
        (Behaviour.error(503, "overloaded"), "unreachable"),
        (Behaviour.error(529, "overloaded"), "unreachable"),
        (Behaviour.close(), "unreachable"),
        (Behaviour.rubbish(b'{"error": {"code": 429, "message": "upstream"}}'), "rate-limited"),
    ],
)
def test_direct_repeats_what_may_pass_and_then_gives_up(
    server: ScriptedLLM, ask: Ask, behaviour: Behaviour, reason: str
) -> None:
    server.script("target", [behaviour, "third time"])
    patient = ask()
    server.script("target", [behaviour] * 3)
    error = ask()

    assert isinstance(patient, Completion)
    assert (patient.text, patient.calls, patient.retries) == ("third time", 2, 1)
    assert isinstance(error, ModelCallError)
    assert (error.reason, error.calls, error.retries) == (reason, 3, 2)


def test_direct_endpoint_that_is_not_there_is_unreachable(ask: Ask) -> None:
    error = ask(api_base="http://127.0.0.1:9/v1")

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.calls) == ("unreachable", 3)


def test_direct_address_that_is_none_is_refused(ask: Ask) -> None:
    error = ask(api_base="not an address")

    assert isinstance(error, ModelCallError)
    assert error.reason in ("refused", "unreachable")


def test_direct_reads_the_key_when_it_calls(server: ScriptedLLM, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)

    ask(api_key_env="SOME_KEY")
    ask()

    assert [c.key_sha256 for c in server.calls] == [hashlib.sha256(KEY.encode()).hexdigest(), None]


def test_direct_without_its_key_says_which_variable_is_missing(
    server: ScriptedLLM, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)

    error = ask(api_key_env="SOME_KEY")

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.detail) == ("denied", "the environment variable SOME_KEY is not set")
    assert (error.calls, server.calls) == (0, [])


@pytest.mark.parametrize(
    ("key", "behaviour"),
    [
        (KEY, Behaviour.error(401, f"Incorrect API key provided: {KEY}")),
        (KEY, Behaviour.error(401, "Incorrect API key provided: sk-very-*****6789")),
        (KEY, Behaviour.rubbish(f"Bearer {KEY}".encode(), status=500)),
        (f"{KEY}\nX-Other: 1", Behaviour.says("never sent")),
        (f"{KEY}\u2603", Behaviour.says("sent or not")),
        (KEY, Behaviour.close()),
    ],
)
def test_direct_never_tells_the_key(
    server: ScriptedLLM,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    key: str,
    behaviour: Behaviour,
) -> None:
    monkeypatch.setenv("SOME_KEY", key)
    server.script("target", [behaviour] * 3)
    caplog.set_level("DEBUG")

    outcome = ask(api_key_env="SOME_KEY")

    told = caplog.text
    if isinstance(outcome, ModelCallError):
        told += "".join(traceback.format_exception(outcome)) + repr(outcome) + repr(outcome.__context__)
    assert "secret" not in told
    assert "6789" not in told


def test_configuration_refuses_parameters_that_are_the_clients() -> None:
    with pytest.raises(ValueError) as caught:
        ModelConfiguration("m", "openai/x", parameters={"stream": True})

    assert str(caught.value) == "model m: the parameter stream cannot be set; remove it"


def test_counts_of_a_provider_are_kept_under_its_own_names() -> None:
    usage = {
        "prompt_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 5, "note": "x"}, "cost": 0.25,
        "by": "somebody", "is_byok": True, "nan": float("nan"), "list": [1], "deep": {"deeper": {"n": 1}},
    }  # fmt: skip

    assert counts_in(usage) == {
        "prompt_tokens": 7,
        "completion_tokens_details": {"reasoning_tokens": 5},
        "cost": 0.25,
    }
