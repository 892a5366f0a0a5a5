"""Keeps one server running for as long as somebody uses it."""

import asyncio
import time
import traceback
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Callable
from pathlib import Path

from impactbench.embedded.server import Server
from impactbench.embedded.services import EmbeddedServerError, ServerDied

GRACE_SECONDS = 3.0  # a server outlives its last user by this, so that consecutive commands do not restart it
DEATHS_ALLOWED = 5
DEATHS_WINDOW_SECONDS = 60.0
TICK_SECONDS = 0.25


class Stopped(Exception):
    """The keeper was closed while somebody waited for its server."""


class Keeper:
    """Starts a server for its first user, restarts it when it dies, stops it after its last user.

    `working` is the task that does so. It ends when the server is stopped or given up; the next user starts another.
    """

    def __init__(self, make_server: Callable[[], Server], log: Path) -> None:
        self._make_server = make_server
        self._log = log
        self._users: set[object] = set()
        self._last_used = time.monotonic()
        self._is_closing = False
        self._address: asyncio.Future[str]
        self._deaths: deque[float] = deque()
        self.working: asyncio.Task[None] | None = None

    @property
    def is_working(self) -> bool:
        return self.working is not None and not self.working.done()

    async def use(self, user: object) -> str:
        """Count `user` in and return the server's address when it serves; raises EmbeddedServerError or Stopped."""
        self._users.add(user)
        if not self.is_working:
            self._address = asyncio.get_running_loop().create_future()
            self.working = asyncio.create_task(self._keep())
        return await asyncio.shield(self._address)

    def leave(self, user: object) -> None:
        """Count `user` out."""
        self._users.discard(user)
        self._last_used = time.monotonic()

    def close(self) -> None:
        """Stop the server soon, used or not."""
        self._is_closing = True

    async def _keep(self) -> None:
        reason: Exception
        try:
            await self._live()
            reason = Stopped()
        except EmbeddedServerError as error:
            reason = error
        except Exception as error:  # whatever it is: users must not wait for a server that nobody starts
            traceback.print_exc()
            reason = EmbeddedServerError(f"An embedded server failed ({error}); the log {self._log} says where.")
        if not self._address.done():
            self._address.set_exception(reason)
            self._address.exception()  # seen: the users who waited may be gone already

    async def _live(self) -> None:
        server = self._make_server()
        self._deaths.clear()
        while self._users and not self._is_closing:
            await self._run_once(server)

    async def _run_once(self, server: Server) -> None:
        """One life of the server, from start to stop or death."""
        try:
            process = await server.start()
        except ServerDied as death:
            await self._mourn(death)
            return
        if not self._address.done():
            self._address.set_result(server.address)
        await self._until_dead_or_unused(process)
        # Whoever comes from now on waits for the server's next life.
        self._address = asyncio.get_running_loop().create_future()
        if process.returncode is None:
            await server.stop(process)
        else:
            print(f"{server.title} ended with {process.returncode} while in use", flush=True)  # noqa: T201  (our log)
            await self._mourn(ServerDied(f"{server.title} ends again and again; its log {server.log} says why."))

    async def _until_dead_or_unused(self, process: Process) -> None:
        death = asyncio.ensure_future(process.wait())
        while not death.done() and not self._is_unused():
            await asyncio.wait({death}, timeout=TICK_SECONDS)
        death.cancel()

    def _is_unused(self) -> bool:
        is_idle = not self._users and time.monotonic() - self._last_used > GRACE_SECONDS
        return self._is_closing or is_idle

    async def _mourn(self, death: ServerDied) -> None:
        """Wait a little before the next try; raises `death` when there were too many."""
        now = time.monotonic()
        self._deaths.append(now)
        while now - self._deaths[0] > DEATHS_WINDOW_SECONDS:
            self._deaths.popleft()
        if len(self._deaths) > DEATHS_ALLOWED:
            raise death
        await asyncio.sleep(0.1 * len(self._deaths))
