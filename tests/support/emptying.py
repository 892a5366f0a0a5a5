"""How the tables are emptied after a test whose rows are committed: to what the migrations wrote, and fast.

Django truncates every table and makes its own rows anew, which takes most of a second. Here the rows of the tables
that have any are deleted, and those of the migrations are put back from copies in the schema `baseline`.
"""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.test import TransactionTestCase

from tests.support.written_columns import written_columns

SCHEMA = "baseline"
NOT_TOUCHED = "django_migrations"


def use_for_tests() -> None:
    """From now on tests with committed rows end by this; to be called when the test database stands.

    Where the account may not switch triggers off, Django's own way remains.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser') = 'on', to_regnamespace(%s) IS NULL", [SCHEMA])
        may_switch, is_new = cursor.fetchone()
    if not may_switch:
        return
    if is_new:
        _keep_baseline()
    empty()
    TransactionTestCase._fixture_teardown = _teardown  # type: ignore[attr-defined]  # Django has no hook for it


def _teardown(_case: Any) -> None:
    empty()


def empty() -> None:
    """Leave nothing in the tables but what the migrations wrote."""
    names = _tables()
    every = ", ".join(_quoted(name) for name in names)
    with transaction.atomic(), connection.cursor() as cursor:
        # Waits for requests of a live server that are not done yet, as TRUNCATE does.
        cursor.execute(f"LOCK TABLE {every} IN ACCESS EXCLUSIVE MODE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name in _filled(cursor, names):
            cursor.execute(f"DELETE FROM {_quoted(name)}")
        for name in _kept(cursor):
            columns = _columns(name)
            cursor.execute(f"INSERT INTO {_quoted(name)} ({columns}) SELECT {columns} FROM {SCHEMA}.{_quoted(name)}")


def _keep_baseline() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        for name in _filled(cursor, _tables()):
            cursor.execute(f"CREATE TABLE {SCHEMA}.{_quoted(name)} AS SELECT * FROM {_quoted(name)}")


def _tables() -> list[str]:
    return sorted(set(connection.introspection.table_names()) - {NOT_TOUCHED})


def _filled(cursor: Any, names: list[str]) -> list[str]:
    each = [f"SELECT '{name}' WHERE EXISTS (SELECT FROM {_quoted(name)})" for name in names]
    cursor.execute(" UNION ALL ".join(each))
    return [name for (name,) in cursor.fetchall()]


def _kept(cursor: Any) -> list[str]:
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [SCHEMA])
    return [name for (name,) in cursor.fetchall()]


def _columns(name: str) -> str:
    return written_columns(
        next(one for one in apps.get_models(include_auto_created=True) if one._meta.db_table == name)
    )


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
