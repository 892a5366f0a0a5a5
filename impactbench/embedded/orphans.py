"""Finds and stops servers whose supervisor was killed."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# A signal, and how many seconds to wait for its effect before the next one.
StopSteps = Sequence[tuple[signal.Signals, float]]


@dataclass(frozen=True)
class Process:
    """A live process (zombies are not) and its command line."""

    pid: int
    command: str

    def runs(self, program: str, *words: str) -> bool:
        """Whether the command is `program` and has `words`, one after the other, among its arguments."""
        before, found, _ = f"{self.command} ".partition(f" {' '.join(words)} ")
        return bool(found) and before.rpartition("/")[2].startswith(program)


def processes() -> Iterator[Process]:
    """Every live process of this machine that we may see."""
    return _from_proc() if Path("/proc/self/stat").exists() else _from_ps()


async def stop_orphans(program: str, *phrases: tuple[str, ...], steps: StopSteps) -> None:
    """Stop every process that runs `program` with one of the `phrases`, by `steps`; return when all are gone."""

    def orphans() -> list[int]:
        return [found.pid for found in processes() if any(found.runs(program, *phrase) for phrase in phrases)]

    for number, seconds in steps:
        for pid in orphans():
            _signal(pid, number)
        deadline = time.monotonic() + seconds
        while orphans() and time.monotonic() < deadline:
            await asyncio.sleep(0.05)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _from_proc() -> Iterator[Process]:
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
        except (OSError, IndexError):
            continue  # ended while we looked
        if state not in "ZX":
            yield Process(int(folder.name), os.fsdecode(command))


def _from_ps() -> Iterator[Process]:
    listing = subprocess.run(["ps", "-axww", "-o", "pid=,stat=,command="], capture_output=True, check=True)
    for line in os.fsdecode(listing.stdout).splitlines():
        pid, state, command = [*line.split(maxsplit=2), ""][:3]
        if not state.startswith("Z"):
            yield Process(int(pid), command)
