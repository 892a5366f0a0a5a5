"""Kills web processes, PostgreSQL and Valkey with `kill -9` while programs read and write: `make webchaos`.

Every write that was answered with 201 must be there once, and nobody may meet an error but while what was killed
starts again.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count

from tests.bench.own_home import Home, own_home
from tests.bench.processes import tree
from tests.bench.promises import Promises
from tests.support.one_request import ask
from tests.support.ports import free_port
from tests.support.production_server import started

READERS, WRITERS = 12, 4
SECONDS_BETWEEN_READS, SECONDS_BETWEEN_WRITES = 0.2, 1.0
# Of one person; a writer writes for several, as nobody may have more than 50 drafts.
WRITES, PEOPLE = 45, 8
SECONDS_BETWEEN_KILLS = 8.0
SECONDS_AWAY = 1.0
# From the moment that what was killed was started until everything answers as before.
MOST_SECONDS_TO_START = 10.0
PATIENCE = 15.0
# Servers die with the thread that started them: this one lives as long as the measurement.
STARTER = ThreadPoolExecutor(1)


@dataclass
class Seen:
    """What everybody met: when errors came, and what was promised to whoever wrote."""

    statuses: Counter[str] = field(default_factory=Counter)
    errors: list[tuple[float, str]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def note(self, began: float, status: str, *, good: str) -> bool:
        """Whether it was the status that it should be; all others are errors from the moment they were asked for."""
        self.statuses[status] += 1
        if status != good:
            self.errors.append((began, status))
        return status == good


class Web:
    """The production server, started again by whoever watches over services; its children watch themselves."""

    title = "the web server"

    def __init__(self, home: Home, machine: str = "") -> None:
        self.port = free_port()
        own = {"IMPACTBENCH_HOME": str(home.folder / machine)} if machine else {}
        self._settings = {**os.environ, **home.variables, "STANDING_WORKER": "no", **own}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = started(self._settings, self.port, start_new_session=True)

    def kill(self) -> None:
        """The master and its processes at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def kill_one(self) -> None:
        """One of its processes; the master starts another."""
        assert self._process is not None
        child = next(pid for pid in tree(self._process.pid) if pid != self._process.pid)
        os.kill(child, signal.SIGKILL)


def main() -> None:
    """Prints each kill and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each of them is killed (3)")
    rounds = parser.parse_args().rounds
    promises = Promises("web chaos")
    variables = {"API_REQUESTS_A_MINUTE": "0", "API_TOKEN_REQUESTS_A_MINUTE": "0", "PAGE_CACHE": "yes"}
    with own_home({"DJANGO_SETTINGS_MODULE": "impactbench.settings.dev", **variables}) as home:
        tokens = _prepared()
        web = Web(home)
        web.start()
        try:
            seen, kills = asyncio.run(_load(promises, home, web, tokens, rounds))
        finally:
            web.kill()
        _judge(promises, seen, kills)
    promises.close()


def _prepared() -> list[str]:
    """A small release to read, and tokens of people who may write."""
    from tests.support import july_shape
    from tests.support.api_tokens import Program
    from tests.support.portal import make_person

    july_shape.build(july_shape.SMALL)
    return [Program(make_person(f"Author {number}", "expert")).text for number in range(WRITERS * PEOPLE)]


async def _load(
    promises: Promises, home: Home, web: Web, tokens: list[str], rounds: int
) -> tuple[Seen, list[tuple[float, float]]]:
    seen, over = Seen(), asyncio.Event()
    # A thread for everybody, and one for who kills.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(READERS + WRITERS + 1))
    await _until_it_answers(web.port)
    visitors = [asyncio.create_task(_reader(web.port, seen, over, number)) for number in range(READERS)]
    visitors += [
        asyncio.create_task(_writer(web.port, seen, over, tokens[number::WRITERS])) for number in range(WRITERS)
    ]
    kills = []
    for _ in range(rounds):
        for title, kill, start in _victims(home, web):
            await asyncio.sleep(SECONDS_BETWEEN_KILLS)
            before, began = len(seen.errors), time.monotonic()
            await asyncio.to_thread(kill)
            if start is not None:
                await asyncio.sleep(SECONDS_AWAY)
                await asyncio.get_running_loop().run_in_executor(STARTER, start)
            started = time.monotonic()
            kills.append((began, started))
            await asyncio.sleep(SECONDS_BETWEEN_KILLS)
            last = max((when for when, _ in seen.errors[before:]), default=began)
            promises.say(
                f"kill -9 of {title}: {len(seen.errors) - before} errors, the last {last - began:.1f} s after it "
                f"({Counter(status for _, status in seen.errors[before:])})"
            )
    over.set()
    await asyncio.gather(*visitors)
    return seen, kills


def _victims(home: Home, web: Web) -> list[tuple[str, Callable[[], None], Callable[[], None] | None]]:
    return [
        ("one web process", web.kill_one, None),
        ("Valkey", home.valkey.kill, home.valkey.start),
        ("PostgreSQL", home.postgres.kill, home.postgres.start),
        ("the whole web server", web.kill, web.start),
    ]


async def _until_it_answers(port: int) -> None:
    while True:
        if await _status(port, "/readyz") == "200":
            return
        await asyncio.sleep(0.1)


async def _reader(port: int, seen: Seen, over: asyncio.Event, number: int) -> None:
    for n in count():
        if over.is_set():
            return
        began = time.monotonic()
        # No two ask the same for long, so that the page cache does not answer for the database.
        size = 1 + (READERS * n + number) % 1_000
        status = await _status(port, f"/api/v1/results/?group=overall&page_size={size}")
        seen.note(began, status, good="200")
        await asyncio.sleep(SECONDS_BETWEEN_READS)


async def _writer(port: int, seen: Seen, over: asyncio.Event, tokens: list[str]) -> None:
    for n in count():
        if over.is_set():
            return
        token = tokens[n // WRITES]
        began, title = time.monotonic(), f"Text {n} with the token {token[-6:]}"
        body = json.dumps({"content": {"title": title}}).encode()
        said = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        status = await _status(port, "/api/v1/submissions/", "POST", body, said)
        if seen.note(began, status, good="201"):
            seen.written.append(title)
        await asyncio.sleep(SECONDS_BETWEEN_WRITES)


async def _status(
    port: int, address: str, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> str:
    """Of an answer; without one the name of what went wrong."""
    try:
        status, _ = await asyncio.to_thread(ask, port, address, method, body, headers=headers, patience=PATIENCE)
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    return str(status)


def _judge(promises: Promises, seen: Seen, kills: list[tuple[float, float]]) -> None:
    from django.db import connection

    from submissions.models import Submission

    connection.close()
    stored = Counter(submission.title for submission in Submission.objects.all())
    lost = [title for title in seen.written if stored[title] != 1]
    promises.say(f"answers: {', '.join(f'{n:,} x {status}' for status, n in sorted(seen.statuses.items()))}")
    promises.check(
        "every write that was answered with 201 is there once",
        holds=not lost,
        found=f"{len(seen.written) - len(lost):,} of {len(seen.written):,}; {stored.total() - len(seen.written)} more "
        "were written whose answer a kill took away",
    )
    outside = [
        (when, status)
        for when, status in seen.errors
        if not any(began - PATIENCE <= when <= started + MOST_SECONDS_TO_START for began, started in kills)
    ]
    promises.check(
        "nobody met an error but while what was killed started again",
        holds=not outside,
        found=f"{len(outside)} of {len(seen.errors):,} errors",
    )


if __name__ == "__main__":
    main()
