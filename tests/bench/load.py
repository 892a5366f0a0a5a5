"""An open-loop generator of HTTP load: requests fall due at their own times, whether or not earlier ones were answered.

What a request took is counted from the moment it was due, so that a server that stalls cannot hide it by keeping the
generator waiting. It runs beside the server, on the same processors, and does as little per request as it can.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CONNECTIONS = 64
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of some kind; `again` asks with the ETag of an earlier answer to the same address."""

    kind: str
    address: str
    again: bool = False


@dataclass(slots=True)
class Measured:
    """What became of all requests: seconds by kind, and how often each status came."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    bytes_read: int = 0

    def share_within(self, share: float, kinds: Sequence[str] = ()) -> float:
        """The time, in seconds, within which this share of the requests was answered."""
        taken = sorted(value for kind in kinds or self.seconds for value in self.seconds[kind])
        return taken[max(0, math.ceil(share * len(taken)) - 1)] if taken else math.nan

    @property
    def n(self) -> int:
        return sum(map(len, self.seconds.values()))


async def load(url: str, asks: Iterable[Ask], per_second: float, seed: int = 0) -> Measured:
    """Sends all of them, on average so many a second at random moments, and waits for the last answer."""
    chance = random.Random(seed)
    due = time.perf_counter() + 0.1
    waiting: asyncio.Queue[tuple[float, Ask] | None] = asyncio.Queue()
    measured, etags = Measured(), dict[str, bytes]()
    visitors = [asyncio.create_task(_visitor(url, waiting, measured, etags)) for _ in range(CONNECTIONS)]
    for ask in asks:
        due += chance.expovariate(per_second)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        waiting.put_nowait((due, ask))
    for _ in visitors:
        waiting.put_nowait(None)
    await asyncio.gather(*visitors)
    return measured


async def _visitor(
    url: str, waiting: asyncio.Queue[tuple[float, Ask] | None], measured: Measured, etags: dict[str, bytes]
) -> None:
    connection = Connection(url)
    while (item := await waiting.get()) is not None:
        due, ask = item
        etag = etags.get(ask.address, b"") if ask.again else b""
        try:
            status, tag, n_bytes = await asyncio.wait_for(connection.get(ask.address, etag), PATIENCE)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            connection.close()
            status, tag, n_bytes = type(error).__name__, b"", 0
        measured.seconds[ask.kind].append(time.perf_counter() - due)
        measured.statuses[status] += 1
        measured.bytes_read += n_bytes
        if tag:
            etags[ask.address] = tag
    connection.close()


class Connection:
    """One visitor's connection, kept open between requests and opened again when the server has closed it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._where = (parts.hostname or "", parts.port or 80)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._head = f" HTTP/1.1\r\nHost: {self._where[0]}:{self._where[1]}\r\nAccept-Encoding: gzip\r\n".encode()

    async def get(self, address: str, etag: bytes = b"") -> tuple[str, bytes, int]:
        """Status, ETag and size in bytes of the whole answer; a connection closed while idle is opened anew."""
        condition = b"If-None-Match: " + etag + b"\r\n" if etag else b""
        request = b"GET " + address.encode() + self._head + condition + b"\r\n"
        if self._streams is not None:
            try:
                return await self._exchange(*self._streams, request)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
        self._streams = await asyncio.open_connection(*self._where)
        return await self._exchange(*self._streams, request)

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
    ) -> tuple[str, bytes, int]:
        writer.write(request)
        lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        status = lines[0].split(b" ", 2)[1].decode()
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        size = int(headers.get(b"content-length", b"0"))
        if size and status != "304":
            await reader.readexactly(size)
        if headers.get(b"connection", b"").lower() == b"close":
            self.close()
        return status, headers.get(b"etag", b""), size

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
