"""The small language model over HTTP."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from impactbench.embedded import Lease, Service, join

pytestmark = pytest.mark.alone

SCHEMA = {
    "type": "object",
    "properties": {"present": {"type": "boolean"}},
    "required": ["present"],
    "additionalProperties": False,
}


def _ask(lease: Lease, content: str) -> tuple[int, dict]:
    """Status and body of one chat completion whose answer must follow SCHEMA."""
    body = {
        "messages": [{"role": "user", "content": content}],
        "max_tokens": 60,
        "response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "schema": SCHEMA}},
    }
    request = urllib.request.Request(
        f"{lease.language_model_url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=180) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.mark.slow
def test_language_model_answers_eight_at_once_and_refuses_what_is_too_long(home: Path) -> None:
    with join(home, Service.LANGUAGE_MODEL) as lease:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda number: _ask(lease, f"{number}. Is water wet?"), range(8)))
        refused, reason = _ask(lease, "word " * 9000)
        after, _ = _ask(lease, "Is water wet?")

    assert [status for status, _ in answers] == [200] * 8
    for _, answer in answers:
        assert answer["choices"][0]["finish_reason"] == "stop"
        assert isinstance(json.loads(answer["choices"][0]["message"]["content"])["present"], bool)
    assert refused == 400
    assert reason["error"]["type"] == "exceed_context_size_error"
    assert after == 200
