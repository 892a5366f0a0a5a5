"""Writes of many conversations, committed together a few milliseconds later, each awaited by its conversation."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

import psycopg

from evaluation.workers.database import Connection, connect

logger = logging.getLogger(__name__)

# Whoever writes waits this long for others to join its commit; a model call takes a hundred times as long.
LINGER_SECONDS = 0.001
MOST_TOGETHER = 500
_MOST_SENDINGS = 100


class LeaseLostError(Exception):
    """Another worker holds the conversation now; what this one knows of it must not be written."""


@dataclass(slots=True)
class _Write:
    statement: bytes
    confirmation: bytes | None
    values: dict[str, Any]
    done: asyncio.Future[bool]


class Writer:
    """One connection that commits what conversations write, in groups.

    After a lost connection the same group is sent again, so every statement must bear being sent twice.
    """

    def __init__(self) -> None:
        self._queue: asyncio.Queue[_Write] = asyncio.Queue()
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def write(self, statement: str, values: dict[str, Any], *, confirmation: str | None = None) -> None:
        """Returns when the statement is committed.

        Raises LeaseLostError when it touched no row and `confirmation` (which finds what an earlier sending of the
        same statement wrote) finds none either; and psycopg.Error for what the database refuses.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._serve(), name="writer")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        confirming = confirmation.encode() if confirmation else None
        self._queue.put_nowait(_Write(statement.encode(), confirming, values, done))
        if not await done:
            raise LeaseLostError

    async def close(self) -> None:
        """Ends the writer; whatever was awaited is committed by then."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()

    async def _serve(self) -> None:
        while True:
            group = [await self._queue.get()]
            await asyncio.sleep(LINGER_SECONDS)
            while not self._queue.empty() and len(group) < MOST_TOGETHER:
                group.append(self._queue.get_nowait())
            await self._settle(group)

    async def _settle(self, group: list[_Write]) -> None:
        try:
            await self._commit(group)
        except psycopg.Error as error:
            if len(group) == 1 or isinstance(error, psycopg.OperationalError):
                for write in group:
                    _fail(write, error)
                return
            # One statement that the database refuses must not take the others with it.
            for write in group:
                await self._settle([write])

    async def _commit(self, group: list[_Write]) -> None:
        for sending in range(1, _MOST_SENDINGS + 1):
            if self._connection is None:
                self._connection = await connect()
            try:
                outcomes = await _send(self._connection, group)
            except psycopg.OperationalError:
                await self._connection.close()
                self._connection = None
                if sending == _MOST_SENDINGS:
                    raise
                logger.warning("the database connection was lost; sending %d writes again", len(group))
                await asyncio.sleep(min(2.0, 0.05 * sending))
                continue
            for write, touched in zip(group, outcomes, strict=True):
                if not write.done.done():
                    write.done.set_result(touched)
            return


def _fail(write: _Write, error: Exception) -> None:
    if not write.done.done():
        write.done.set_exception(error)


async def _send(connection: Connection, group: list[_Write]) -> list[bool]:
    async with connection.pipeline(), connection.transaction():
        cursors = [await connection.execute(write.statement, write.values) for write in group]
    outcomes = []
    for write, cursor in zip(group, cursors, strict=True):
        touched = cursor.rowcount > 0
        if not touched and write.confirmation is not None:
            confirming = await connection.execute(write.confirmation, write.values)
            touched = await confirming.fetchone() is not None
        outcomes.append(touched)
    return outcomes
