"""Locks by name across processes, for what only one may do at a time."""

from django.db import connection

# Imports share benchmarks, models and profiles, so they take turns.
IMPORTS = "imports"


def wait_for(name: str) -> None:
    """Wait until no other transaction holds this name, and hold it until the caller's transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
