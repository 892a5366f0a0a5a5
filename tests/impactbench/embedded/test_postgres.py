"""What PostgreSQL's side decides without a running server."""

import asyncio
import os
from pathlib import Path

import pytest

from impactbench.embedded import EmbeddedServerError, paths
from impactbench.embedded.postgres import PostgresServer, access_rules, disown_pid_file


def test_missing_program_is_one_sentence(tmp_path: Path) -> None:
    server = PostgresServer(paths(tmp_path), programs=tmp_path / "bin")

    with pytest.raises(EmbeddedServerError) as caught:
        asyncio.run(server.start())

    assert str(caught.value) == (
        f"PostgreSQL's program {tmp_path}/bin/initdb is missing; run `make setup`, or set DATABASE_URL."
    )


def test_pid_file_keeps_all_but_its_owner(tmp_path: Path) -> None:
    pid_file = tmp_path / "postmaster.pid"
    pid_file.write_text("1\n/data\n1700000000\n")

    disown_pid_file(pid_file)

    assert pid_file.read_text() == f"{os.getpid()}\n/data\n1700000000\n"


def test_shared_account_lets_in_only_the_starting_user() -> None:
    rules, names = access_rules(is_shared_account=True)

    assert rules == "local all all peer map=embedded\n"
    assert names.split()[0::2] == ["embedded", "postgres"]
