"""Looks at, and talks to, the servers of a home from outside."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psycopg
import redis

from impactbench.embedded import database_url, paths, redis_url
from impactbench.embedded.orphans import processes

PROJECT = Path(__file__).resolve().parents[3]
USER = """
import sys
from pathlib import Path
from impactbench.embedded import Service, join
lease = join(Path(sys.argv[1]), Service.POSTGRES, Service.VALKEY)
print("joined", flush=True)
sys.stdin.read()
"""


class Running(NamedTuple):
    """The process numbers of a home's servers."""

    supervisors: list[int]
    postmasters: list[int]
    valkeys: list[int]


def running(home: Path) -> Running:
    """What runs for `home` just now, zombies not counted."""
    places = paths(home)
    found = list(processes())
    return Running(
        [one.pid for one in found if one.runs("python", "-m", "impactbench.embedded.supervisor", str(places.home))],
        [one.pid for one in found if one.runs("postgres", "-D", str(places.postgres_data))],
        [one.pid for one in found if one.runs("valkey-server", f"unixsocket:{places.valkey_socket}")],
    )


def wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    """Return as soon as it is so; fail when it does not become so in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def start_user(home: Path, *prefix: str) -> subprocess.Popen[str]:
    """Another process that joins both servers, says `joined`, and stays until its standard input ends."""
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", USER, str(home)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def has_joined(user: subprocess.Popen[str]) -> bool:
    """Wait for the user's word."""
    assert user.stdout is not None
    return user.stdout.readline() == "joined\n"


def end_user(user: subprocess.Popen[str]) -> int:
    """Let the user leave; its exit code."""
    user.communicate()
    return user.returncode


def query(home: Path, statement: str) -> object:
    """The first value of the first row; None when the server is not there."""
    try:
        with psycopg.connect(database_url(home), autocommit=True) as connection:
            cursor = connection.execute(statement)
            row = cursor.fetchone() if cursor.description else None
    except psycopg.OperationalError:
        return None
    return row[0] if row else None


def valkey(home: Path, *command: str) -> object:
    """Valkey's answer; None when it is not there."""
    with redis.Redis.from_url(redis_url(home), decode_responses=True) as client:
        try:
            return client.execute_command(*command)
        except redis.ConnectionError:
            return None


def stop_everything(home: Path) -> None:
    """An orderly end without waiting for the grace."""
    for pid in running(home).supervisors:
        os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not any(running(home)))


def kill_everything(home: Path) -> None:
    """kill -9 for all, so that nobody clears anything away: the supervisor may not restart what dies."""
    found = running(home)
    for pid in found.supervisors:
        os.kill(pid, signal.SIGSTOP)
    for pid in (*found.postmasters, *found.valkeys, *found.supervisors):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not any(running(home)))
