"""The processes of the web server: no client keeps a thread by being slow, and a change of processes loses nothing."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from tests.support.one_request import PATIENCE, ask
from tests.support.ports import free_port
from tests.support.production_server import ROOT


@contextmanager
def served(*options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Gunicorn with one process of two threads; gives it and its port when it answers."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--worker-class", "impactbench.buffered_worker.BufferedWorker"]
    fixed = ["--threads", "2", "--bind", f"127.0.0.1:{port}", "--no-control-socket", "--log-level", "warning"]
    server = subprocess.Popen([*command, *fixed, *options, "tests.support.tiny_app:app"], cwd=ROOT)
    try:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(OSError):
                ask(port, "/")
                break
            time.sleep(0.05)
        yield server, port
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as (_, number):
        yield number


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbegun",
        b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["silent", "head", "body", "reader"],
)
def test_slow_clients_keep_nobody_waiting(port: int, said: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(12):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            client.sendall(said)
        time.sleep(0.2)

        assert ask(port, "/")[0] == 200


def test_what_the_application_is_told(port: int) -> None:
    told = ask(port, "/seen", "POST", b"all of it", headers={"X-Forwarded-For": "192.0.2.7"})

    assert told == (200, "127.0.0.1 192.0.2.7 b'all of it'")


@pytest.mark.parametrize("path", ["/large", "/stream", "/file"])
def test_head_gets_the_headers_and_no_body(port: int, path: str) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        said = b"".join(iter(lambda: client.recv(65_536), b""))

    head, _, body = said.partition(b"\r\n\r\n")
    assert (head.split(b"\r\n")[0], body) == (b"HTTP/1.1 200 OK", b"")


def test_answer_after_head_on_the_same_connection_is_its_own(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("HEAD", "/large")
    head = connection.getresponse()
    head.read()
    connection.request("POST", "/seen", b"x")
    answer = connection.getresponse()

    assert head.headers["Content-Length"] == str(8 * 1024 * 1024)
    assert (answer.status, answer.read()) == (200, b"127.0.0.1 None b'x'")
    connection.close()


def test_nothing_is_said_about_the_server(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/")
    answer = connection.getresponse()
    answer.read()
    connection.close()

    assert {"server", "via", "x-powered-by"}.isdisjoint(name.lower() for name in answer.headers)


def test_body_that_is_too_large_is_refused_before_it_is_read(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n")

        assert client.recv(1024).split(b"\r\n")[0].split()[1] == b"413"


def test_end_of_the_server_answers_what_was_asked() -> None:
    answers: list[tuple[int, str]] = []
    with served() as (server, port):
        visitor = threading.Thread(target=lambda: answers.append(ask(port, "/slow")))
        visitor.start()
        time.sleep(0.3)
        server.send_signal(signal.SIGTERM)
        visitor.join(PATIENCE)

    assert [status for status, _ in answers] == [200]
    assert server.returncode == 0


def test_killed_process_is_replaced() -> None:
    with served() as (_, port):
        before = ask(port, "/")[1]
        os.kill(int(before), signal.SIGKILL)
        status, after = ask(port, "/")

    assert (status, after != before) == (200, True)


def test_process_that_has_answered_enough_is_replaced_and_loses_nothing() -> None:
    with served("--max-requests", "5") as (_, port):
        answers = [ask(port, "/") for _ in range(20)]

    assert {status for status, _ in answers} == {200}
    assert len({number for _, number in answers}) >= 3


def test_process_that_takes_long_to_load_is_not_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECONDS_TO_LOAD", "4")

    with served("--timeout", "2") as (_, port):
        assert ask(port, "/")[0] == 200
