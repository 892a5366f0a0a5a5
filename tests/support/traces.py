"""Where words are found: in every column of every table, in what sessions hold, in the cache, and in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from redis import Redis

# Everything but numbers, dates and yes or no: names can be in JSON, in lists, in addresses of networks, in bytes.
_COUNTED = ("boolean", "smallint", "integer", "bigint", "numeric", "double precision", "real", "date", "tsvector")
_NOT_OURS = ("auth_permission", "django_content_type", "django_migrations")


def columns_with(words: Iterable[str]) -> dict[str, list[str]]:
    """{"table.column": the words found in it} for every table of the database, in any case."""
    wanted = [word.lower() for word in words]
    found: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for table, columns in _columns().items():
            picked = ", ".join(f'lower("{column}"::text)' for column in columns)
            cursor.execute(f'SELECT {picked} FROM "{table}"')
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    seen = found.setdefault(f"{table}.{column}", [])
                    seen.extend(word for word in wanted if word in (value or "") and word not in seen)
    return {place: seen for place, seen in found.items() if seen}


def text_columns() -> set[str]:
    """Every "table.column" that is looked at."""
    return {f"{table}.{column}" for table, columns in _columns().items() for column in columns}


def sessions_with(words: Iterable[str]) -> list[str]:
    """What sessions hold is signed and packed: unpacked, those words are in it."""
    unpacked = " ".join(str(session.get_decoded()) for session in Session.objects.all()).lower()
    return [word for word in words if word.lower() in unpacked]


def cached_with(words: Iterable[str]) -> list[str]:
    """The names of cache entries that name, or hold, one of the words."""
    wanted = [word.lower().encode() for word in words]
    return [name for name, value in _cached() if any(word in value.lower() for word in wanted)]


def files_with(words: Iterable[str], folder: Path) -> list[str]:
    """The files below the folder whose name or content has one of the words."""
    wanted = [word.lower().encode() for word in words]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [
        str(path.relative_to(folder))
        for path in files
        if any(word in str(path).lower().encode() + path.read_bytes().lower() for word in wanted)
    ]


def _columns() -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "JOIN information_schema.tables USING (table_schema, table_name) "
            "WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, 2"
        )
        for table, column, kind in cursor.fetchall():
            if table not in _NOT_OURS and kind not in _COUNTED and not kind.startswith(("timestamp", "interval")):
                tables.setdefault(table, []).append(column)
    return tables


def _cached() -> Iterator[tuple[str, bytes]]:
    redis = Redis.from_url(settings.CACHES["default"]["LOCATION"])
    with redis:
        for key in redis.scan_iter():
            value = redis.get(key) if redis.type(key) == b"string" else b""
            yield key.decode(errors="replace"), key + b" " + (value or b"")
