"""A scripted server for each test, and what calls a model on it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaluation.engine.types import Completion, Message, ModelCallError
from evaluation.llm.client import CallPolicy, ModelConfiguration, open_client
from tests.support.llm_server import ScriptedLLM

QUICK = CallPolicy(attempts=3, attempt_seconds=5.0, total_seconds=10.0, first_backoff_seconds=0.01)
HELLO = [Message("user", "hello")]

Ask = Callable[..., Completion | ModelCallError]


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as running:
        yield running


@pytest.fixture
def ask(server: ScriptedLLM) -> Ask:
    """Calls `openai/<model>` on the scripted server once: what came back, or the error that was raised."""

    def ask_once(
        model: str = "target", *, policy: CallPolicy = QUICK, call: dict[str, Any] | None = None, **fields: Any
    ) -> Completion | ModelCallError:
        configuration = ModelConfiguration(
            **{"slug": "m", "litellm_model": f"openai/{model}", "api_base": server.url, **fields}
        )

        async def once() -> Completion | ModelCallError:
            client = open_client(configuration, policy=policy)
            try:
                return await client(HELLO, **(call or {}))
            except ModelCallError as error:
                return error
            finally:
                await client.close()

        return asyncio.run(once())

    return ask_once
