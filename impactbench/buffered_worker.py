"""Gunicorn's processes, with Waitress inside: no client that sends or reads slowly keeps one of the few threads.

Gunicorn starts, watches and replaces the processes; in each, Waitress reads whole requests and sends answers in one
loop that waits for nobody, and gives only complete requests to the threads. Gunicorn's own threaded worker lends a
thread to a connection for as long as its client takes: eight slow ones stop two processes of four threads.
"""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import WSGITask

SECONDS_BETWEEN_LOOKS = 1.0
# How long a thread that computes may keep the interpreter from one whose answer has come from the database. With the
# usual 5 ms, requests that ask several questions each wait that long for every answer.
SECONDS_OF_A_TURN = 0.0005
# Of one process: an idle connection costs a file and some kilobytes.
MOST_CONNECTIONS = 1_000
SECONDS_OF_SILENCE = 60
MEGABYTE = 1_048_576
# As the proxy has it (docker/Caddyfile); what is larger than half a megabyte waits in a file, not in memory.
LARGEST_BODY = 120 * MEGABYTE
# An answer is taken from its thread up to this size, however slowly its client reads.
LARGEST_WAITING_ANSWER = 256 * MEGABYTE

# It says so with each request that has to wait for a thread.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _Task(WSGITask):
    """Closes the connection with its answer once the server takes nobody new, and sends no body to HEAD.

    Waitress leaves the latter to the application. A body that nobody reads would be taken for the next answer.
    """

    def build_response_header(self) -> bytes:
        if not self.channel.server.accepting:
            self.request.headers["CONNECTION"] = "close"
        header: bytes = super().build_response_header()
        if self.request.command == "HEAD":
            self.chunked_response = False  # there are no chunks to be ended
        return header


class _Channel(HTTPChannel):
    task_class = _Task

    def is_idle(self) -> bool:
        """Whether nobody waits for anything; one just accepted may have sent what is not read yet."""
        waits = self.requests or self.total_outbufs_len
        return not waits and time.time() - self.last_activity > SECONDS_BETWEEN_LOOKS


class _Nothing:
    """A body that is not sent, and is closed as if it had been."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def close(self) -> None:
        if hasattr(self._body, "close"):
            self._body.close()


class BufferedWorker(Worker):
    """One process: `threads` requests at once, any number of clients about to ask."""

    def init_process(self) -> None:
        """Load the application, which may bring the tables up to date first, however long that takes."""
        self._is_loaded = threading.Event()
        threading.Thread(target=self._say_that_it_loads, name="loading", daemon=True).start()
        super().init_process()

    def _say_that_it_loads(self) -> None:
        """Else gunicorn would kill a process that is silent for as long as a request may take."""
        while not self._is_loaded.wait(SECONDS_BETWEEN_LOOKS):
            self.notify()

    def run(self) -> None:
        """Serve until told to end, until gunicorn is gone, or until enough requests were answered."""
        self._is_loaded.set()
        # What was loaded stays. Looking through all of it for garbage stops every thread for a second, again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        sys.setswitchinterval(SECONDS_OF_A_TURN)
        self._map: dict[int, Any] = {}
        whole = create_server(
            self._counted,
            map=self._map,
            sockets=[listener.sock for listener in self.sockets],
            threads=self.cfg.threads,
            ident=None,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=SECONDS_OF_SILENCE,
            max_request_body_size=LARGEST_BODY,
            outbuf_high_watermark=LARGEST_WAITING_ANSWER,
            asyncore_use_poll=True,
            # Which of a proxy's headers to believe, the settings say.
            clear_untrusted_proxy_headers=False,
        )
        servers = [one for one in self._map.values() if isinstance(one, BaseWSGIServer)]
        for one in servers:
            one.channel_class = _Channel
        while self.alive and os.getppid() == self.ppid:
            self._turn()
        self._finish(servers)
        whole.task_dispatcher.shutdown(timeout=self.cfg.graceful_timeout)

    def _turn(self) -> None:
        self.notify()
        wasyncore.loop(SECONDS_BETWEEN_LOOKS, use_poll=True, map=self._map, count=1)

    def _counted(self, request: dict[str, Any], start_response: Any) -> Any:
        self.nr += 1
        if self.nr == self.max_requests:
            self.alive = False
        answer = self.wsgi(request, start_response)
        return _Nothing(answer) if request["REQUEST_METHOD"] == "HEAD" else answer

    def _finish(self, servers: list[BaseWSGIServer]) -> None:
        """Take nobody new, and answer what was asked, for at most gunicorn's graceful time."""
        for server in servers:
            server.accepting = False
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while (channels := self._channels()) and time.monotonic() < deadline:
            for channel in channels:
                channel.will_close = channel.will_close or channel.is_idle()
            self._turn()

    def _channels(self) -> list[_Channel]:
        return [channel for channel in self._map.values() if isinstance(channel, _Channel)]
