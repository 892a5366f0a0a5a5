"""Locks by name across processes, for what only one may do at a time."""

from django.db import connection

# Imports share benchmarks, models and profiles, so they take turns.
IMPORTS = "imports"


def wait_for(name: str) -> None:
    """Wait until no other transaction holds this name, and hold it until the caller's transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def taken(name: str) -> bool:
    """Hold this name until the caller's transaction ends; False, at once, where another transaction holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])
