"""The embedded small language model through the client; the demonstration shows whole conversations with it."""

import asyncio
import json

import pytest

from evaluation.engine.types import Completion
from evaluation.llm.client import ModelConfiguration, open_client
from tests.evaluation.llm.conftest import HELLO

SCHEMA = {
    "title": "greeting",
    "type": "object",
    "properties": {"greeting": {"type": "string", "maxLength": 12}},
    "required": ["greeting"],
    "additionalProperties": False,
}


@pytest.mark.slow
def test_embedded_model_answers_by_a_schema_and_for_nothing() -> None:
    smollm2 = ModelConfiguration(
        "smollm2",
        "openai/smollm2",
        api_base="embedded:smollm2",
        parameters={"temperature": 0},
        input_usd_per_million=0,
        output_usd_per_million=0,
    )

    async def scenario() -> Completion:
        client = open_client(smollm2)
        reply = await client(HELLO, schema=SCHEMA, max_tokens=40)
        await client.close()
        return reply

    reply = asyncio.run(scenario())

    assert list(json.loads(reply.text or "")) == ["greeting"]
    assert reply.cost_usd == 0
