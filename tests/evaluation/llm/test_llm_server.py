"""The scripted server in a process of its own, as benchmarks and kill tests use it."""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.support.llm_server", "--port", str(port), "--latency-ms", "1"]
    with subprocess.Popen(command) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def fetch(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    for _ in range(100):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data), timeout=5) as response:
                return json.load(response)
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up")


def test_llm_server_counts_calls_and_forgets_them_on_reset(address: str) -> None:
    ask = {"model": "mock-user", "messages": [{"role": "user", "content": "write your message for turn 2"}]}

    line = fetch(f"{address}/v1/chat/completions", ask)["choices"][0]["message"]["content"]
    stats = fetch(f"{address}/stats")
    fetch(f"{address}/reset", {})

    assert line.startswith("Thought: Plan for turn 2.\nMessage: Message 2 of the scripted user")
    assert (stats["calls"], stats["total_calls"], stats["max_in_flight"]) == ({"mock-user": 1}, 1, 1)
    assert fetch(f"{address}/stats")["total_calls"] == 0
