"""The scripted server in a process of its own, as measurements need it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.support.ports import free_port


@dataclass(frozen=True)
class Server:
    """Its address (`/v1` is where models are called), and what it counted."""

    address: str

    @property
    def url(self) -> str:
        """What a plan names as `api_base`."""
        return f"{self.address}/v1"

    def stats(self) -> dict[str, Any]:
        """Calls, most in flight, seconds between the first and the last: since `reset`."""
        found: dict[str, Any] = json.loads(_ask(f"{self.address}/stats"))
        return found

    def reset(self) -> None:
        """Counts from zero."""
        _ask(f"{self.address}/reset", b"")


@contextmanager
def scripted_server(*options: str) -> Iterator[Server]:
    """The server with these options of its command line, until the block ends."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "tests.support.llm_server", "--port", str(port), *options])
    server = Server(f"http://127.0.0.1:{port}")
    try:
        _wait_for(server)
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_for(server: Server) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            server.stats()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _ask(address: str, data: bytes | None = None) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=10) as response:
        return bytes(response.read())
