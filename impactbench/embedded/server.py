"""What all servers have in common: one child process that is prepared, started, probed and stopped."""

import asyncio
import os
import time
from abc import ABC, abstractmethod
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path
from typing import BinaryIO, ClassVar

from impactbench.embedded.layout import Paths
from impactbench.embedded.orphans import StopSteps
from impactbench.embedded.privileges import Launch
from impactbench.embedded.services import EmbeddedServerError, ServerDied, Service

START_SECONDS = 120.0  # a PostgreSQL that recovers from a crash on a slow disk needs its time
PROBE_SECONDS = 0.1
LONGEST_LOG = 10_000_000  # bytes; a longer one is put aside at the next start

# Deliberately not the user's environment: servers need none of it, and it may hold keys.
SERVER_ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


class Server(ABC):
    """One kind of server. An instance may be started again after its process has ended."""

    service: ClassVar[Service]
    title: ClassVar[str]
    stop_steps: ClassVar[StopSteps]
    stdin: ClassVar[int] = DEVNULL

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.log = paths.log(self.service.value)

    @abstractmethod
    async def prepare(self) -> None:
        """Clear away what a killed predecessor left, and make the data folder; raises EmbeddedServerError."""

    @abstractmethod
    def command(self) -> list[str]:
        """The server's command line."""

    @abstractmethod
    async def answers(self) -> bool:
        """Whether the server serves already."""

    @property
    @abstractmethod
    def address(self) -> str:
        """What a lease is told: socket folder, socket or URL."""

    def launch(self) -> Launch:
        """Account and options to start under."""
        return Launch()

    async def start(self) -> Process:
        """Start the server and wait until it answers.

        Raises EmbeddedServerError, or ServerDied when another try may succeed; leaves no process behind then.
        """
        await self.prepare()
        process = await self.spawn(self.command(), stdin=self.stdin)
        deadline = time.monotonic() + START_SECONDS
        while process.returncode is None and time.monotonic() < deadline:
            if await self.answers():
                return process
            await asyncio.sleep(PROBE_SECONDS)
        if process.returncode is not None:
            raise ServerDied(f"{self.title} ended while starting; its log {self.log} says why.")
        await self.stop(process)
        raise EmbeddedServerError(
            f"{self.title} did not answer within {START_SECONDS:.0f} seconds; its log is {self.log}."
        )

    async def spawn(self, command: list[str], stdin: int = DEVNULL) -> Process:
        """Start a child process of this server's account that writes to this server's log."""
        how = self.launch()
        with open_log(self.log) as log:
            return await asyncio.create_subprocess_exec(
                *how.prefix, *command, stdin=stdin, stdout=log, stderr=log, env=SERVER_ENVIRONMENT, **how.options
            )

    async def stop(self, process: Process) -> None:
        """End the process, politely first; returns when it is gone."""
        for number, seconds in self.stop_steps:
            if process.returncode is not None:
                return
            process.send_signal(number)
            try:
                await asyncio.wait_for(process.wait(), seconds)
            except TimeoutError:
                continue


def open_log(log: Path) -> BinaryIO:
    """The log file, open for appending; a long one becomes `<name>.log.1` first."""
    if log.exists() and log.stat().st_size > LONGEST_LOG:
        log.replace(f"{log}.1")
    return log.open("ab")
