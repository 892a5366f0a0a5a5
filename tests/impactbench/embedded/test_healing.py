"""What kill -9 leaves behind heals by itself."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from impactbench.embedded import Service, join, paths
from impactbench.embedded.postgres import PostgresServer
from impactbench.embedded.server import Server
from impactbench.embedded.valkey import ValkeyServer
from tests.impactbench.embedded.conftest import copy_folder, fresh_home
from tests.impactbench.embedded.observing import kill_everything, query, running, stop_everything, valkey, wait_until

pytestmark = pytest.mark.alone


@pytest.fixture
def zombie() -> Iterator[int]:
    """The number of a process that has ended and that nobody has reaped yet."""
    child = subprocess.Popen(["true"])
    wait_until(lambda: Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    yield child.pid
    child.wait()


def test_killed_postgres_is_restarted(home: Path) -> None:
    with join(home, Service.POSTGRES):
        query(home, "CREATE TABLE kept AS SELECT 42 AS number")
        before = running(home)

        os.kill(before.postmasters[0], signal.SIGKILL)

        wait_until(lambda: query(home, "SELECT number FROM kept") == 42 and running(home) != before)
        assert running(home).supervisors == before.supervisors


def test_killed_supervisor_is_replaced_for_its_living_user(home: Path) -> None:
    with join(home, Service.POSTGRES, Service.VALKEY):
        before = running(home)

        os.kill(before.supervisors[0], signal.SIGKILL)

        wait_until(lambda: [len(pids) for pids in running(home)] == [1, 1, 1] and running(home) != before)
        wait_until(lambda: query(home, "SELECT 1") == 1 and valkey(home, "PING") is True)
        assert set(running(home).postmasters).isdisjoint(before.postmasters)


def test_deleted_home_ends_its_supervisor(home: Path) -> None:
    lease = join(home, Service.VALKEY)
    before = running(home)
    lease.close()

    shutil.rmtree(home)

    wait_until(lambda: set(running(home).supervisors).isdisjoint(before.supervisors))


def test_everything_killed_at_once_starts_again(home: Path) -> None:
    with join(home, Service.POSTGRES, Service.VALKEY):
        query(home, "CREATE TABLE kept AS SELECT 42 AS number")
        valkey(home, "SET", "kept", "43")
    kill_everything(home)

    with join(home, Service.POSTGRES, Service.VALKEY):
        assert query(home, "SELECT number FROM kept") == 42
        assert valkey(home, "GET", "kept") == "43"


@pytest.fixture(scope="module")
def stopped_home(first_home: Path) -> Iterator[tuple[Path, bytes, bytes]]:
    """A home whose servers have stopped, and what postmaster.pid and the socket's lock held while they ran."""
    with fresh_home() as home:
        home.mkdir()
        copy_folder(first_home / "postgres", home)
        pid_file, socket_lock = _lock_files(home)
        with join(home, Service.POSTGRES):
            query(home, "CREATE TABLE kept AS SELECT 42 AS number")
            contents = pid_file.read_bytes(), socket_lock.read_bytes()
        stop_everything(home)
        yield home, *contents


def _lock_files(home: Path) -> tuple[Path, Path]:
    places = paths(home)
    return places.postgres_data / "postmaster.pid", places.postgres_socket_dir / ".s.PGSQL.5432.lock"


@pytest.mark.parametrize("left_by", ["stranger", "zombie", "garbled", "empty", "short"])
def test_stale_lock_files_do_not_matter(stopped_home: tuple[Path, bytes, bytes], zombie: int, left_by: str) -> None:
    home, *contents = stopped_home
    for lock_file, content in zip(_lock_files(home), contents, strict=True):
        rest = content.partition(b"\n")[2]
        stale = {
            "stranger": b"%d\n" % os.getpid() + rest,
            "zombie": b"%d\n" % zombie + rest,
            "garbled": b"\xff\n" + rest,
            "empty": b"",
            "short": b"%d\n/tm" % os.getpid(),
        }
        lock_file.write_bytes(stale[left_by])

    with join(home, Service.POSTGRES):
        answer = query(home, "SELECT number FROM kept")
    stop_everything(home)

    assert answer == 42


def _start_orphan(server: Server) -> "subprocess.Popen[bytes]":
    asyncio.run(server.prepare())  # what was killed may still be a zombie, which PostgreSQL would take for alive
    how = server.launch()
    with server.log.open("ab") as log:
        return subprocess.Popen([*how.prefix, *server.command()], stdout=log, stderr=log, **how.options)


def test_orphaned_servers_are_replaced(home: Path) -> None:
    with join(home, Service.POSTGRES, Service.VALKEY):
        query(home, "CREATE TABLE kept AS SELECT 42 AS number")
    kill_everything(home)
    orphans = [_start_orphan(PostgresServer(paths(home))), _start_orphan(ValkeyServer(paths(home)))]
    wait_until(lambda: query(home, "SELECT 1") == 1 and valkey(home, "PING") is True)

    with join(home, Service.POSTGRES, Service.VALKEY):
        counts = [len(pids) for pids in running(home)]
        assert query(home, "SELECT number FROM kept") == 42

    assert counts == [1, 1, 1]
    assert [orphan.wait(5) for orphan in orphans] == [0, 0]


def test_half_made_data_folder_is_made_anew(empty_home: Path) -> None:
    data = paths(empty_home).postgres_data
    (data / "base").mkdir(parents=True)
    (empty_home / "postgres.new-1" / "base").mkdir(parents=True)

    with join(empty_home, Service.POSTGRES):
        assert query(empty_home, "SELECT 1") == 1

    assert [place.name.rpartition("-")[0] for place in empty_home.glob("postgres.*")] == ["postgres.unfinished"]
