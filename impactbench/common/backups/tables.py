"""What is in the database, table by table."""

from typing import Any

from psycopg import sql

# What migrations themselves put into a new database: the frame of the method, and Django's own lists.
FILLED_BY_MIGRATIONS = frozenset(
    {
        "auth_permission", "django_content_type", "django_migrations",
        "evaluation_area", "evaluation_profile", "evaluation_subarea", "evaluation_taxonomy",
    }
)  # fmt: skip


def row_counts(cursor: Any) -> dict[str, int]:
    """The number of rows of every table, by its name."""
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    counts = {}
    for (table,) in cursor.fetchall():
        cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
        counts[table] = cursor.fetchone()[0]
    return counts
