"""Rows that many tests begin with: made once in each process by what makes them, and put back by COPY after that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models

from evaluation.models import Benchmark, LanguageModel, Run, Subarea
from tests.support.written_columns import written_columns

# A change of the taxonomy, as by a test that empties all tables, makes the rows anew.
Place = tuple[Any, ...]


@dataclass(frozen=True)
class _Table:
    """A table and those of its columns that can be written, quoted."""

    name: str
    written: str


_kept: dict[Place, dict[_Table, bytes]] = {}


def made_or_put_back(name: Place, make: Callable[[], Any]) -> None:
    """Have in the database what `make` writes into one without any benchmark, model or run.

    It is called where something stands there already or where rows outlive the test, and the first time; after that
    its rows are put back with the same keys: keys are never given twice in a database that is only rolled back.
    """
    if not _is_untouched():
        make()
        return
    place = (*name, *Subarea.objects.order_by("pk").values_list("pk", flat=True))
    if place not in _kept:
        before = {table: _last(table) for table in _tables()}
        make()
        _kept[place] = {table: rows for table in _tables() if (rows := _rows_after(table, before[table]))}
        return
    with connection.cursor() as cursor:
        for table, rows in _kept[place].items():
            with cursor.copy(f"COPY {table.name} ({table.written}) FROM STDIN") as copy:
                copy.write(rows)


def _is_untouched() -> bool:
    if not connection.in_atomic_block or settings.PAGE_VERSION_FOLLOWS_WRITES:
        return False
    return not any(model.objects.exists() for model in (Benchmark, LanguageModel, Run))


@cache
def _tables() -> list[_Table]:
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return [
        _Table(connection.ops.quote_name(model._meta.db_table), written_columns(model))
        for model in found
        if isinstance(model._meta.pk, models.AutoField) and not model._meta.proxy
    ]


def _last(table: _Table) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table.name}")
        return int(cursor.fetchone()[0])


def _rows_after(table: _Table, last: int) -> bytes:
    with (
        connection.cursor() as cursor,
        cursor.copy(
            f"COPY (SELECT {table.written} FROM {table.name} WHERE id > {last:d} ORDER BY id) TO STDOUT"
        ) as copy,
    ):
        return b"".join(bytes(part) for part in copy)
