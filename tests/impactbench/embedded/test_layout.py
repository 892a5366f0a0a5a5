"""Addresses of the embedded servers, as their clients read them."""

import os
from pathlib import Path

import psycopg
import pytest
import redis
from kombu import Connection

from impactbench.embedded import broker_url, database_settings, database_url, paths, redis_url
from impactbench.embedded.layout import LONGEST_SOCKET_PATH

HOME = Path("/srv/impact bench%1")


def test_paths_make_nothing(tmp_path: Path) -> None:
    paths(tmp_path / "home")

    assert list(tmp_path.iterdir()) == []


def test_addresses_lead_to_the_sockets_whatever_the_folder_is_called() -> None:
    socket = str(paths(HOME).valkey_socket)

    libpq = psycopg.conninfo.conninfo_to_dict(database_url(HOME))
    cache = redis.ConnectionPool.from_url(redis_url(HOME)).connection_kwargs
    broker = Connection(broker_url(HOME)).channel

    assert libpq == {"user": "postgres", "dbname": "impactbench", "host": "/srv/impact bench%1/run/pg", "port": "5432"}
    assert database_settings(HOME)["HOST"] == "/srv/impact bench%1/run/pg"
    assert (cache["path"], cache["db"]) == (socket, 1)
    assert broker is not None


@pytest.mark.parametrize("length", [1, 70, 80, 90, 120, 300])
def test_socket_paths_stay_short(length: int) -> None:
    places = paths(Path("/") / ("h" * length))

    longest = max(
        len(os.fsencode(place))
        for place in (places.postgres_socket_dir / ".s.PGSQL.5432.lock", places.valkey_socket, places.supervisor_socket)
    )

    assert longest <= LONGEST_SOCKET_PATH
