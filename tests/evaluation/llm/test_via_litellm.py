"""The path through litellm, on the scripted server. Importing litellm takes seconds, hence one slow module."""

import asyncio
from dataclasses import replace

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


@pytest.mark.parametrize("model", ["anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"])
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
