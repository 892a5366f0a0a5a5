"""The one process of a home that runs the servers: `python -m impactbench.embedded.supervisor HOME`.

It returns to its caller as soon as it listens, and goes on in the background. An open connection to its socket is a
lease: the kernel closes it whatever way the user dies. It ends when nobody needs anything any more.
"""

import asyncio
import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from signal import SIGINT, SIGTERM

from impactbench.embedded import folders
from impactbench.embedded.keeper import GRACE_SECONDS, TICK_SECONDS, Keeper, Stopped
from impactbench.embedded.language_model import LanguageModelServer
from impactbench.embedded.layout import Paths, paths
from impactbench.embedded.postgres import PostgresServer
from impactbench.embedded.server import Server
from impactbench.embedded.services import EmbeddedServerError, Service
from impactbench.embedded.valkey import ValkeyServer

# A predecessor that is stopping its servers still holds the lock.
LOCK_SECONDS = 45.0
HELLO_SECONDS = 10.0


class Supervisor:
    """Answers users and keeps the servers that they need."""

    def __init__(self, places: Paths) -> None:
        kinds: list[type[Server]] = [PostgresServer, ValkeyServer, LanguageModelServer]
        log = places.log("supervisor")
        self._keepers = {kind.service: Keeper(partial(kind, places), log) for kind in kinds}
        self._users: set[asyncio.StreamWriter] = set()
        self._last_seen = time.monotonic()
        self._is_stopping = False

    async def run(self, listener: socket.socket, claim: "Claim") -> None:
        """Serve until nobody needs anything, a signal comes, or the home was taken away."""
        for number in (SIGTERM, SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stop)
        server = await asyncio.start_unix_server(self._greet, sock=listener)
        while not self._is_stopping and not self._is_unneeded() and claim.is_valid():
            await asyncio.sleep(TICK_SECONDS)
        claim.withdraw_socket()
        server.close()
        await self._stop_all()

    def _stop(self) -> None:
        self._is_stopping = True

    def _is_unneeded(self) -> bool:
        is_busy = self._users or any(keeper.is_working for keeper in self._keepers.values())
        return not is_busy and time.monotonic() - self._last_seen > GRACE_SECONDS

    async def _stop_all(self) -> None:
        for keeper in self._keepers.values():
            keeper.close()
        works = [keeper.working for keeper in self._keepers.values() if keeper.working]
        await asyncio.gather(*works)
        for user in list(self._users):
            user.close()
        await asyncio.sleep(0)  # lets the connections' tasks see their end

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One user, from hello to goodbye."""
        self._users.add(writer)
        keepers: list[Keeper] = []
        try:
            needs = _needs(await asyncio.wait_for(reader.readline(), HELLO_SECONDS))
            keepers = [self._keepers[need] for need in needs]
            addresses = await asyncio.gather(*(keeper.use(writer) for keeper in keepers))
            ready = {need.value: address for need, address in zip(needs, addresses, strict=True)}
            await _send(writer, {"ready": ready})
            await _until_gone(reader, keepers)
        except EmbeddedServerError as error:
            await _send(writer, {"failed": str(error)})
        except (OSError, ValueError, TimeoutError, Stopped):
            pass  # not a user of ours, gone before the end of the hello, or better served by our successor
        finally:
            for keeper in keepers:
                keeper.leave(writer)
            self._users.discard(writer)
            self._last_seen = time.monotonic()
            writer.close()


def _needs(hello: bytes) -> list[Service]:
    """The services of a hello line `{"need": [...]}`; raises ValueError."""
    try:
        return [Service(name) for name in json.loads(hello)["need"]]
    except (KeyError, TypeError) as error:
        raise ValueError("not a hello") from error


async def _send(writer: asyncio.StreamWriter, answer: dict[str, object]) -> None:
    try:
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
    except OSError:
        pass  # the user did not wait for it


async def _until_gone(reader: asyncio.StreamReader, keepers: Iterable[Keeper]) -> None:
    """Wait until the user hangs up, or a server that it uses was given up."""
    goodbye = asyncio.ensure_future(reader.read())
    works = {keeper.working for keeper in keepers if keeper.working}
    await asyncio.wait({goodbye, *works}, return_when=asyncio.FIRST_COMPLETED)
    goodbye.cancel()


class Claim:
    """The right to be the supervisor of a home: its lock and its listening socket."""

    def __init__(self, places: Paths) -> None:
        self._places = places
        self._lock = os.open(places.supervisor_lock, os.O_RDWR | os.O_CREAT, 0o600)
        self._socket_inode = 0

    def take_lock(self) -> bool:
        """Wait for the lock; False when a healthy supervisor has it."""
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if _is_answering(self._places.supervisor_socket):
                    return False
            else:
                return True
            if time.monotonic() > deadline:
                raise EmbeddedServerError("Another supervisor of this home neither answers nor ends.")
            time.sleep(0.05)

    def listen(self) -> socket.socket:
        """The supervisor's socket; a leftover of a dead one is replaced."""
        place = self._places.supervisor_socket
        place.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.fspath(place))
        place.chmod(0o600)
        listener.listen(128)
        self._socket_inode = place.stat().st_ino
        return listener

    def is_valid(self) -> bool:
        """Whether lock and socket are still ours: somebody may have deleted the home, or made it anew."""
        lock, place = self._places.supervisor_lock, self._places.supervisor_socket
        return _inode(lock) == os.fstat(self._lock).st_ino and _inode(place) == self._socket_inode

    def withdraw_socket(self) -> None:
        """Let new users find nobody, so that they start our successor (who waits for the lock)."""
        if _inode(self._places.supervisor_socket) == self._socket_inode:
            self._places.supervisor_socket.unlink()


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _is_answering(place: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(os.fspath(place)) == 0


def main(home: str) -> None:
    """Become the supervisor of `home`, unless it has one; the caller's process ends when the socket listens."""
    places = paths(Path(home))
    folders.create(places)
    claim = Claim(places)
    if not claim.take_lock():
        return
    listener = claim.listen()
    if os.fork():
        os._exit(0)
    os.setsid()
    asyncio.run(Supervisor(places).run(listener, claim))


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (EmbeddedServerError, OSError) as error:
        sys.exit(str(error))
