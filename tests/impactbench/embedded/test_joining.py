"""Joining and leaving: who starts the servers, who shares them, who stops them."""

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from impactbench.embedded import EmbeddedServerError, Service, join, paths
from impactbench.embedded.privileges import account_for, launch
from tests.impactbench.embedded.conftest import copy_folder
from tests.impactbench.embedded.observing import (
    PROJECT,
    end_user,
    has_joined,
    query,
    running,
    start_user,
    valkey,
    wait_until,
)

pytestmark = pytest.mark.alone

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def test_join_gives_both_servers_with_durable_settings(home: Path) -> None:
    with join(home, Service.POSTGRES, Service.VALKEY):
        answers = [query(home, f"SHOW {name}") for name in ("fsync", "synchronous_commit", "listen_addresses")]
        encoding = query(home, "SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'impactbench'")
        answer = valkey(home, "PING")

    assert answers == ["on", "on", ""]
    assert encoding == "UTF8"
    assert answer is True


def test_join_starts_only_what_is_needed(empty_home: Path) -> None:
    with join(empty_home, Service.VALKEY):
        counts = [len(pids) for pids in running(empty_home)]

    assert counts == [1, 0, 1]


def test_servers_do_not_inherit_keys(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-servers")

    with join(home, Service.VALKEY):
        pids = [pid for kind in running(home) for pid in kind]
        environments = [Path(f"/proc/{pid}/environ").read_bytes() for pid in pids]

    assert [b"sk-not-for-servers" in environment for environment in environments] == [False, False]


def test_last_leaver_stops_everything_and_the_data_stays(home: Path) -> None:
    first = join(home, Service.POSTGRES, Service.VALKEY)
    second = join(home, Service.POSTGRES, Service.VALKEY)
    query(home, "CREATE TABLE kept AS SELECT 42 AS number")
    valkey(home, "SET", "kept", "43")

    first.close()
    assert query(home, "SELECT number FROM kept") == 42
    second.close()
    wait_until(lambda: not any(running(home)))

    with join(home, Service.POSTGRES, Service.VALKEY):
        assert query(home, "SELECT number FROM kept") == 42
        assert valkey(home, "GET", "kept") == "43"


@pytest.mark.parametrize("n_users", [2, 8])
def test_users_at_once_share_one_set_of_servers(empty_home: Path, n_users: int) -> None:
    users = [start_user(empty_home) for _ in range(n_users)]

    joined = [has_joined(user) for user in users]
    counts = [len(pids) for pids in running(empty_home)]

    assert joined == [True] * n_users
    assert counts == [1, 1, 1]
    assert [end_user(user) for user in users] == [0] * n_users


def test_killed_user_leaves_its_lease(home: Path) -> None:
    user = start_user(home)
    assert has_joined(user)

    user.send_signal(signal.SIGKILL)
    end_user(user)

    wait_until(lambda: not any(running(home)))


def test_forked_child_that_leaves_takes_nothing_from_its_parent(home: Path) -> None:
    script = """
import os, sys, time, warnings
from pathlib import Path
from impactbench.embedded import Service, join
from impactbench.embedded.keeper import GRACE_SECONDS
warnings.simplefilter("ignore")  # later Pythons warn of a fork beside threads
lease = join(Path(sys.argv[1]), Service.VALKEY)
if os.fork() == 0:
    lease.close()
    os._exit(0)
os.wait()
time.sleep(GRACE_SECONDS + 1)
print("stayed", flush=True)
sys.stdin.read()
"""
    user = subprocess.Popen(
        [sys.executable, "-c", script, str(home)],
        cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert user.stdout is not None
    assert user.stdout.readline() == "stayed\n"

    counts = [len(pids) for pids in running(home)]
    end_user(user)

    assert counts == [1, 0, 1]


def test_very_long_home_works(home: Path) -> None:
    long_home = home.parent / ("long" * 30) / "home"
    long_home.mkdir(parents=True)
    copy_folder(home / "postgres", long_home)

    with join(long_home, Service.POSTGRES, Service.VALKEY):
        answers = (query(long_home, "SELECT 1"), valkey(long_home, "PING"))

    assert answers == (1, True)


@needs_root
def test_home_in_a_private_folder_of_root_works(empty_home: Path) -> None:
    private = empty_home.parent / "private"
    private.mkdir(mode=0o700)

    with join(private / "home", Service.POSTGRES):
        answer = query(private / "home", "SELECT 1")

    assert answer == 1
    assert private.stat().st_mode & 0o777 == 0o700


@needs_root
def test_ordinary_user_works(empty_home: Path) -> None:
    account = account_for(empty_home)
    assert account is not None
    os.chown(empty_home.parent, account.uid, account.gid)
    # The interpreter may lie in a folder of root's; the way there is all that the account is given.
    prefix = launch(signal.SIGTERM, account, reach=(Path(sys.executable), Path(sys.executable).resolve())).prefix

    user = start_user(empty_home, *prefix)
    joined = has_joined(user)
    owners = {place.stat().st_uid for place in (empty_home, empty_home / "postgres", empty_home / "valkey")}
    end_user(user)

    assert joined
    assert owners == {pwd.getpwnam("nobody").pw_uid}


def test_data_of_another_postgres_version_is_one_sentence(empty_home: Path) -> None:
    data = paths(empty_home).postgres_data
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")

    with pytest.raises(EmbeddedServerError) as caught:
        join(empty_home, Service.POSTGRES)

    assert str(caught.value) == (
        f"The data in {data} is of PostgreSQL 17, and 18 is installed; "
        "move it away, or set DATABASE_URL to a server that can read it."
    )


def test_home_that_is_a_file_is_one_sentence(empty_home: Path) -> None:
    empty_home.write_text("")

    with pytest.raises(EmbeddedServerError) as caught:
        join(empty_home, Service.POSTGRES)

    assert str(caught.value) == (
        f"The embedded servers cannot use {empty_home} (Not a directory: {empty_home}/log); "
        "set IMPACTBENCH_HOME to a folder of your own."
    )
    empty_home.unlink()
