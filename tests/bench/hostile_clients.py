"""Clients that would take a server from others: slow ones, and floods of what is wrong."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

SLOW_CLIENTS = 200
FLOOD_PER_SECOND = 100.0
SECONDS_BETWEEN_BYTES = 1.0
WRONG = (
    b"GET /api/v1/results/?group=nonsense HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
    b"GET /api/v1/results/?%s=1 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
    b"GET /api/v1/conversations/nobody/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
    b"GET /nowhere/at/all/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
    b"POST /api/v1/metrics/ HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    b"GET /api/v1/releases/ HTTP/1.1\r\nHost: not-ours.example\r\nConnection: close\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/9.9\r\n\r\n",
)


class Others:
    """What these clients met."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()

    def __str__(self) -> str:
        return ", ".join(f"{n:,} x {what}" for what, n in sorted(self.met.items())) or "nothing"


@asynccontextmanager
async def hostile(url: str, kind: str) -> AsyncIterator[Others]:
    """Such clients of a kind, `slow` or `flood`, for as long as the block lasts."""
    parts = urlsplit(url)
    where = (parts.hostname or "", parts.port or 80)
    others = Others()
    if kind == "slow":
        tasks = [asyncio.create_task(_slow(where, others, number)) for number in range(SLOW_CLIENTS)]
        await asyncio.sleep(2 * SECONDS_BETWEEN_BYTES)  # all are there before it is measured
    else:
        tasks = [asyncio.create_task(_flood(where, others))]
    try:
        yield others
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _slow(where: tuple[str, int], others: Others, number: int) -> None:
    """Comes again for ever: says nothing, sends a head or a body byte by byte, or reads byte by byte."""
    manners = (_says_nothing, _sends_a_head, _sends_a_body, _reads)
    while True:
        try:
            reader, writer = await asyncio.open_connection(*where, limit=1024)
            await manners[number % len(manners)](where, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            others.met["closed by the server"] += 1
            await asyncio.sleep(SECONDS_BETWEEN_BYTES)


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _says_nothing(_where: tuple[str, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readexactly(1)
    writer.close()


async def _sends_a_head(_where: tuple[str, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET /api/v1/results/ HTTP/1.1\r\nX-Slow: ")
    await _drip(reader, writer)


async def _sends_a_body(where: tuple[str, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = f"POST /accounts/login/ HTTP/1.1\r\nHost: {where[0]}:{where[1]}\r\nContent-Length: 100000\r\n"
    writer.write(head.encode() + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n")
    await _drip(reader, writer)


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not reader.at_eof():
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(SECONDS_BETWEEN_BYTES)
    raise ConnectionResetError


async def _reads(where: tuple[str, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    address = "/api/v1/results/?page_size=1000"
    writer.write(f"GET {address} HTTP/1.1\r\nHost: {where[0]}:{where[1]}\r\n\r\n".encode() * 20)
    while True:
        await reader.readexactly(1)
        await asyncio.sleep(SECONDS_BETWEEN_BYTES)


async def _flood(where: tuple[str, int], others: Others) -> None:
    chance, running = random.Random(3), set[asyncio.Task[None]]()
    try:
        while True:
            running.add(task := asyncio.create_task(_wrong(where, others, chance)))
            task.add_done_callback(running.discard)
            await asyncio.sleep(chance.expovariate(FLOOD_PER_SECOND))
    finally:
        for task in running:
            task.cancel()


async def _wrong(where: tuple[str, int], others: Others, chance: random.Random) -> None:
    kind = chance.choice(WRONG)
    host = f"{where[0]}:{where[1]}".encode()
    request = kind.replace(b"?%s=1", b"?x%d=1" % chance.randrange(10**9)).replace(b"%s", host)
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(*where)
        writer.write(request)
        line = (await reader.read(64)).split(b"\r\n")[0]
        others.met[line.decode(errors="replace")[:12] or "closed unanswered"] += 1
        writer.close()
