"""How fast one worker holds and judges conversations, against the bare latency of the models: `make bench`.

Real client, PostgreSQL and Redis; the scripted server answers after 50 ms in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

LATENCY_MS = 50
IN_FLIGHT = 50
TURNS = 6
SAMPLES = 50  # of 4 scenarios and 1 target: 200 conversations
CALLS_EACH = 2 * TURNS + 1


def main() -> None:
    """Prints conversations per second, the floor set by the latency alone, their ratio, and the cost in CPU."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.test")
    django.setup()
    from impactbench.common.readiness import join_servers

    lease = join_servers()
    with _database(), _server() as url, tempfile.TemporaryDirectory() as folder:
        _measure(url, Path(folder))
    if lease is not None:
        lease.close()


def _measure(url: str, folder: Path) -> None:
    from evaluation.services import planning, running
    from evaluation.workers import runner
    from tests.support.plans import make_small_benchmark, write_plan

    make_small_benchmark()
    plan = write_plan(folder, url, targets=["target-a"], turns=TURNS, samples=SAMPLES, concurrency=IN_FLIGHT)
    run, _ = planning.freeze(planning.load_plan(plan))
    running.start(run)
    _ask(f"{url.removesuffix('/v1')}/reset", "POST")
    began, cpu = time.perf_counter(), _cpu_seconds()
    runner.work_on(run.pk)
    wall, cpu = time.perf_counter() - began, _cpu_seconds() - cpu
    stats = json.loads(_ask(f"{url.removesuffix('/v1')}/stats", "GET"))
    n = run.conversations.count()
    _print(n, stats["span_s"], wall, cpu / stats["total_calls"], stats["max_in_flight"])


def _print(n: int, span: float, wall: float, cpu_each: float, most: int) -> None:
    floor = n * CALLS_EACH * LATENCY_MS / 1000 / IN_FLIGHT
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = (
        f"engine: {n} conversations of {TURNS} turns, {IN_FLIGHT} in flight, {LATENCY_MS} ms a call, one worker",
        f"  {n / span:.1f} conversations/s while calls were made ({n / wall:.1f} from start to finish)",
        f"  {n / floor:.1f} conversations/s would be the floor of latency alone: ratio {floor / span:.2f}",
        f"  {1000 * cpu_each:.2f} ms CPU a call, {memory:.0f} MB, at most {most} calls in flight",
    )
    sys.stdout.write("\n".join(lines) + "\n")


@contextmanager
def _database() -> Iterator[None]:
    """A test database of its own, dropped at the end."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"bench_{name}"
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


@contextmanager
def _server() -> Iterator[str]:
    """The scripted server in a process of its own; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.support.llm_server", "--port", str(port), "--latency-ms", str(LATENCY_MS)]
    process = subprocess.Popen(command)
    try:
        _wait_for(f"http://127.0.0.1:{port}/stats")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            _ask(address, "GET")
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _ask(address: str, method: str) -> bytes:
    request = urllib.request.Request(address, method=method, data=b"" if method == "POST" else None)
    with urllib.request.urlopen(request, timeout=10) as response:
        return bytes(response.read())


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
