"""The user's side: joins the servers of a home, and stays joined until closed or dead."""

import contextlib
import fcntl
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from impactbench.embedded import folders
from impactbench.embedded.layout import Paths, paths
from impactbench.embedded.services import EmbeddedServerError, Service

JOIN_SECONDS = 60.0
RETRY_SECONDS = 0.05
REJOIN_PAUSES = (1.0, 5.0, 30.0)  # the last one again and again

PROJECT = Path(__file__).resolve().parents[2]
# The supervisor outlives us and needs nothing else; in particular it must not keep our keys.
KEPT_ENVIRONMENT = (
    "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR",
)  # fmt: skip


def join(home: Path, *needs: Service) -> "Lease":
    """Start or join the servers of `home`; returns when they serve, within a minute.

    The servers run at least until the lease is closed or this process ends, however it ends. Should the
    supervisor be killed, a background thread joins again. Raises EmbeddedServerError with one sentence for the user.
    """
    return Lease(paths(home), needs)


class Lease:
    """The right to use servers; also a context manager. Forked children may use it, the parent's `close` ends it."""

    def __init__(self, places: Paths, needs: tuple[Service, ...]) -> None:
        self._places = places
        self._needs = needs
        self._owner = os.getpid()
        self._is_closed = threading.Event()
        self._connection, self._addresses = _connect(places, needs)
        threading.Thread(target=self._watch, name="embedded-servers-lease", daemon=True).start()

    @property
    def language_model_url(self) -> str:
        """Base URL of the small language model, as OpenAI-compatible clients take it; may change after a restart."""
        return self._addresses[Service.LANGUAGE_MODEL.value]

    def close(self) -> None:
        """Give the lease back; in a forked child only the child's copy of the connection is closed."""
        self._is_closed.set()
        if os.getpid() == self._owner:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def __enter__(self) -> "Lease":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _watch(self) -> None:
        """Join again whenever the supervisor hangs up."""
        while not self._is_closed.is_set():
            with contextlib.suppress(OSError):
                self._connection.recv(1)  # the supervisor never speaks again, so this is its end or ours
            if not self._is_closed.is_set():
                self._connection.close()
                self._rejoin()

    def _rejoin(self) -> None:
        pauses = iter(REJOIN_PAUSES)
        while not self._is_closed.is_set():
            try:
                self._connection, self._addresses = _connect(self._places, self._needs)
            except EmbeddedServerError:
                self._is_closed.wait(next(pauses, REJOIN_PAUSES[-1]))
            else:
                break
        if self._is_closed.is_set():
            self._connection.close()


def _connect(places: Paths, needs: tuple[Service, ...]) -> tuple[socket.socket, dict[str, str]]:
    """A connection whose needs are served, and the servers' addresses."""
    folders.create(places)
    deadline = time.monotonic() + JOIN_SECONDS
    while time.monotonic() < deadline:
        try:
            connection = _call(places) or _call_after_start(places, deadline)
        except OSError as error:
            raise folders.unusable(places, error) from error
        addresses = _ask(connection, needs, deadline) if connection else None
        if connection and addresses is not None:
            return connection, addresses
        time.sleep(RETRY_SECONDS)
    raise EmbeddedServerError(
        f"The embedded servers did not answer within {JOIN_SECONDS:.0f} seconds; their logs are in {places.logs}."
    )


def _call(places: Paths) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(os.fspath(places.supervisor_socket))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except OSError as error:
        connection.close()
        raise OSError(error.errno, error.strerror, os.fspath(places.supervisor_socket)) from error
    return connection


def _call_after_start(places: Paths, deadline: float) -> socket.socket | None:
    """Start a supervisor unless somebody else does so just now, and call it."""
    with _only_one(places.start_lock, deadline):
        connection = _call(places)
        if connection is None:
            _start_supervisor(places, deadline)
            connection = _call(places)
        return connection


@contextlib.contextmanager
def _only_one(lock: Path, deadline: float) -> Iterator[None]:
    """Hold `lock`; after `deadline` go on without it, the supervisor has a lock of its own."""
    with lock.open("a") as file:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(RETRY_SECONDS)
        yield


def _start_supervisor(places: Paths, deadline: float) -> None:
    """Returns when a supervisor listens (ours, or one that was faster)."""
    log = places.log("supervisor")
    environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    with log.open("ab") as output:
        try:
            subprocess.run(
                [sys.executable, "-m", "impactbench.embedded.supervisor", os.fspath(places.home)],
                cwd=PROJECT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=max(1.0, deadline - time.monotonic()),
                check=True,
            )
        except (subprocess.SubprocessError, OSError) as error:
            raise EmbeddedServerError(f"The embedded servers could not be started; the log {log} says why.") from error


def _ask(connection: socket.socket, needs: tuple[Service, ...], deadline: float) -> dict[str, str] | None:
    """Say hello and wait; None when the supervisor hung up, as one that is just ending does."""
    connection.settimeout(max(0.1, deadline - time.monotonic()))
    try:
        connection.sendall(json.dumps({"need": [need.value for need in needs]}).encode() + b"\n")
        with connection.makefile("rb") as lines:
            line = lines.readline()
    except OSError:
        line = b""
    if not line.endswith(b"\n"):
        connection.close()
        return None
    connection.settimeout(None)
    answer = json.loads(line)
    if "failed" in answer:
        connection.close()
        raise EmbeddedServerError(answer["failed"])
    return dict(answer["ready"])
