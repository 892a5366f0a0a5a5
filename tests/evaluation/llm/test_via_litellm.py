"""The path through litellm, on the scripted server. Importing litellm takes seconds, hence one slow module."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from evaluation.engine.types import Completion, Message, ModelCallError
from evaluation.llm.client import ModelConfiguration, open_client
from tests.evaluation.llm.conftest import HELLO, QUICK
from tests.support.llm_server import Behaviour, ScriptedLLM

pytestmark = [
    pytest.mark.slow,
    # litellm and what it imports warn about themselves.
    pytest.mark.filterwarnings("ignore"),
]

ANTHROPIC, GEMINI = "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
GOOGLES_MINUTE = {
    "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details. "
        + "More words. " * 60,
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26s"}],
    }
}
GOOGLES_DAY = {"error": {**GOOGLES_MINUTE["error"], "details": []}}


def anthropic_error(status: int, message: str, **headers: str) -> Behaviour:
    kind = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    error = {"type": kind.get(status, "overloaded_error"), "message": message}
    return Behaviour.body({"type": "error", "error": error}, status, **headers)


def gemini_error(status: int, message: str, **headers: str) -> Behaviour:
    return Behaviour.body({"error": {"code": status, "message": message}}, status, **headers)


def outcomes_of(
    server: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, model: str, behaviours: Sequence[Behaviour | str]
) -> list[Any]:
    """What one call each gives: completions and errors, no call repeated."""
    monkeypatch.setenv("SOME_KEY", "sk-very-secret-0123456789")
    name = model.partition("/")[2]
    server.script(name, behaviours)
    address = server.url.removesuffix("/v1") if model == ANTHROPIC else f"{server.url}/models/{name}"
    configuration = ModelConfiguration("m", model, api_base=address, api_key_env="SOME_KEY")

    async def scenario() -> list[Any]:
        policy = replace(QUICK, attempts=1, attempt_seconds=30, total_seconds=60)
        client = open_client(configuration, policy=policy)
        found: list[Any] = []
        for _ in behaviours:
            found += await asyncio.gather(client(HELLO), return_exceptions=True)
        await client.close()
        return found

    return asyncio.run(scenario())


def test_litellm_answers_fails_and_is_repeated_like_the_direct_path(
    server: ScriptedLLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-very-secret-0123456789")
    behaviours: list[Behaviour | str] = [
        "hello",
        Behaviour.error(500),
        "again",
        Behaviour.error(429, retry_after="0"),
        "and again",
        Behaviour.error(401, "Incorrect API key provided: sk-very-secret-0123456789"),
        Behaviour.error(400, "This model's maximum context length is 10 tokens"),
        Behaviour.says(None, "content_filter"),
        Behaviour.error(400, "response_format is not supported"),
        "{}",
        "{} at once",
    ]
    server.script("target", behaviours)
    configuration = ModelConfiguration(
        "m", "hosted_vllm/target", api_base=server.url, api_key_env="SOME_KEY", input_usd_per_million=1.0
    )

    async def scenario() -> list[Completion | BaseException]:
        client = open_client(configuration, policy=replace(QUICK, attempt_seconds=30, total_seconds=60))
        outcomes: list[Completion | BaseException] = []
        for _ in range(6):
            outcomes += await asyncio.gather(client(HELLO), return_exceptions=True)
        for _ in range(2):
            outcomes += await asyncio.gather(client(HELLO, schema={"type": "object"}), return_exceptions=True)
        await client.close()
        return outcomes

    outcomes = asyncio.run(scenario())

    replies = [(o.text, o.finish_reason, o.calls) for o in outcomes if isinstance(o, Completion)]
    errors = [(o.reason, o.calls) for o in outcomes if isinstance(o, ModelCallError)]
    assert replies == [
        ("hello", "stop", 1),
        ("again", "stop", 2),
        ("and again", "stop", 2),
        (None, "content_filter", 1),
        ("{}", "stop", 2),
        ("{} at once", "stop", 1),
    ]
    assert errors == [("denied", 1), ("context-overflow", 1)]
    assert "secret" not in repr(outcomes)


@pytest.mark.parametrize("model", [ANTHROPIC, GEMINI])
def test_litellm_brings_the_replies_of_other_providers_in_one_shape(
    server: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-very-secret-0123456789")
    name = model.partition("/")[2]
    server.script(
        name,
        [
            "What matters to you?",
            Behaviour.error(429),
            "Again.",
            Behaviour.says("cut", "length"),
            Behaviour.says(None, "content_filter"),
        ],
    )
    address = server.url.removesuffix("/v1") if model.startswith("anthropic") else f"{server.url}/models/{name}"
    configuration = ModelConfiguration("m", model, api_base=address, api_key_env="SOME_KEY")

    async def scenario() -> list[Completion]:
        client = open_client(configuration, policy=replace(QUICK, attempt_seconds=30, total_seconds=60))
        messages = [Message("system", "You are a guide."), Message("user", "Which one?")]
        replies = [await client(messages) for _ in range(4)]
        await client.close()
        return replies

    replies = asyncio.run(scenario())

    assert [(reply.text or None, reply.finish_reason, reply.calls) for reply in replies] == [
        ("What matters to you?", "stop", 1),
        ("Again.", "stop", 2),
        ("cut", "length", 1),
        (None, "content_filter", 1),
    ]
    assert all(reply.input_tokens and reply.output_tokens for reply in replies[:3])
    call = server.calls_of(name)[0]
    assert [(message["role"], message["content"]) for message in call.messages] == [
        ("system", "You are a guide."),
        ("user", "Which one?"),
    ]


@pytest.mark.parametrize(
    ("model", "usage", "tokens", "cost_usd"),
    [
        # 30 at 3 dollars a million, 100 at 0.3, 5 at 15.
        (
            ANTHROPIC,
            {"input_tokens": 30, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 0, "output_tokens": 5},
            (130, 100, 5),
            Decimal("0.000195"),
        ),
        # 20 at 0.3 dollars a million, 100 at 0.03, 35 (thoughts included) at 2.5.
        (
            GEMINI,
            {
                "promptTokenCount": 120,
                "cachedContentTokenCount": 100,
                "candidatesTokenCount": 5,
                "thoughtsTokenCount": 30,
                "totalTokenCount": 155,
            },
            (120, 100, 35),
            Decimal("0.0000965"),
        ),
    ],
)
def test_each_class_of_tokens_is_counted_and_priced_once(
    server: ScriptedLLM,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    usage: dict[str, int],
    tokens: tuple[int, int, int],
    cost_usd: Decimal,
) -> None:
    (found,) = outcomes_of(server, monkeypatch, model, [Behaviour(text="hi", usage=usage)])

    assert (found.input_tokens, found.cached_input_tokens, found.output_tokens) == tokens
    assert found.cost_usd == cost_usd
    assert found.usage["prompt_tokens_details"]["cached_tokens"] == 100


@pytest.mark.parametrize(("model", "refusal"), [(ANTHROPIC, "No."), (GEMINI, None)])
def test_reasons_to_stop_have_one_name_each_and_nothing_said_is_no_text(
    server: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, model: str, refusal: str | None
) -> None:
    said = [("hi", "length"), (None, "length"), (refusal, "content_filter"), (None, "stop")]

    found = outcomes_of(server, monkeypatch, model, [Behaviour.says(*one) for one in said])

    assert [(one.text, one.finish_reason) for one in found] == said


def test_gemini_that_gives_no_candidate_gives_no_reply(server: ScriptedLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = {"promptTokenCount": 10, "totalTokenCount": 10}
    bodies = [
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage},
        {"promptFeedback": {"blockReason": "OTHER"}, "usageMetadata": usage},
        {"candidates": [{"finishReason": "PROHIBITED_CONTENT", "index": 0}], "usageMetadata": usage},
        {"candidates": [{"finishReason": "RECITATION", "index": 0}], "usageMetadata": usage},
        {"candidates": [], "usageMetadata": usage},
        {"usageMetadata": usage},
    ]

    found = outcomes_of(server, monkeypatch, GEMINI, [Behaviour.body(body) for body in bodies])

    assert [(one.text, one.finish_reason) for one in found[:4]] == [(None, "content_filter")] * 4
    assert [one.reason for one in found[4:]] == ["bad-reply", "bad-reply"]


@pytest.mark.parametrize(
    ("model", "behaviour", "reason", "retry_after"),
    [
        (ANTHROPIC, anthropic_error(429, "slow", retry_after="7"), "rate-limited", 7.0),
        (ANTHROPIC, anthropic_error(529, "Overloaded", retry_after="9"), "unreachable", 9.0),
        (ANTHROPIC, anthropic_error(400, "prompt is too long: 9 tokens > 8 maximum"), "context-overflow", None),
        (ANTHROPIC, anthropic_error(400, "Your credit balance is too low to access the API."), "denied", None),
        (ANTHROPIC, anthropic_error(401, "invalid x-api-key"), "denied", None),
        (GEMINI, gemini_error(429, "slow", retry_after="7"), "rate-limited", 7.0),
        (GEMINI, Behaviour.body(GOOGLES_MINUTE, 429), "rate-limited", 26.0),
        (GEMINI, Behaviour.body(GOOGLES_DAY, 429), "denied", None),
        (GEMINI, gemini_error(503, "The model is overloaded."), "unreachable", None),
        (GEMINI, gemini_error(400, "API key not valid. Please pass a valid API key."), "denied", None),
    ],
)
def test_errors_of_other_providers_are_known_by_the_same_names_and_waits(
    server: ScriptedLLM,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    behaviour: Behaviour,
    reason: str,
    retry_after: float | None,
) -> None:
    (error,) = outcomes_of(server, monkeypatch, model, [behaviour])

    assert isinstance(error, ModelCallError)
    assert (error.reason, error.retry_after, error.calls) == (reason, retry_after, 1)
