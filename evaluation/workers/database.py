"""Connections to PostgreSQL for the worker's loop, where Django's own are not used."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import psycopg
from django.conf import settings
from psycopg.rows import DictRow, dict_row

Connection = psycopg.AsyncConnection[DictRow]
_SECONDS_TO_RECONNECT = 300.0


def connection_parameters() -> dict[str, Any]:
    """What psycopg needs to reach the database of Django's settings."""
    database = settings.DATABASES["default"]
    named = {
        "dbname": database["NAME"],
        "user": database["USER"],
        "password": database["PASSWORD"],
        "host": database["HOST"],
        "port": database["PORT"],
    }
    return {**{key: value for key, value in named.items() if value}, **database.get("OPTIONS", {})}


async def connect() -> Connection:
    """An open connection in autocommit; waits out a database that is away for some minutes, then raises."""
    deadline, pause = time.monotonic() + _SECONDS_TO_RECONNECT, 0.1
    while True:
        try:
            return await psycopg.AsyncConnection.connect(
                **connection_parameters(), autocommit=True, row_factory=dict_row, application_name="impactbench worker"
            )
        except psycopg.OperationalError:
            if time.monotonic() >= deadline:
                raise
            await asyncio.sleep(pause)
            pause = min(2.0, pause * 2)


class Reader:
    """One connection for questions and claims, opened again when it breaks."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()

    async def rows(self, statement: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        """The rows of one statement that may safely be asked twice; asks for some minutes, then raises."""
        async with self._lock:
            deadline, pause = time.monotonic() + _SECONDS_TO_RECONNECT, 0.05
            while True:
                if self._connection is None:
                    self._connection = await connect()
                try:
                    cursor = await self._connection.execute(statement.encode(), values)
                    return await cursor.fetchall()
                except psycopg.OperationalError:  # a server that went away, or whose disk is full
                    await self.close()
                    if time.monotonic() >= deadline:
                        raise
                    await asyncio.sleep(pause)
                    pause = min(2.0, pause * 2)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
