"""Rows that the database keeps as they are, freed for tests that need what only a crash or a forger could leave."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def nothing_is_frozen() -> Iterator[None]:
    """No trigger of the database runs in here, ours or a foreign key's; needs the rights of a superuser."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = origin")
