"""Makes a backup while the platform runs: the database as of one moment, and the files that it names."""

import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from impactbench.common.backups.manifest import DATABASE, FILES, Manifest
from impactbench.common.backups.programs import run_program
from impactbench.common.backups.tables import row_counts
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.whole_files import checksum, made_whole


def make_backup(folder: Path, told: Callable[[str], None]) -> Manifest:
    """Write a backup into the new folder, whole or not at all; only this account may read it.

    Raises UnusableInput where something is at that place, DomainError where it cannot be made.
    """
    try:
        with made_whole(folder) as made:
            made.mkdir(mode=0o700)
            return _write(made, told)
    except FileExistsError as problem:
        raise UnusableInput(f"{folder} is there already; name another place, no backup is written over") from problem
    except OSError as problem:
        raise DomainError(f"the backup {folder} cannot be written: {problem.strerror}") from problem


def _write(folder: Path, told: Callable[[str], None]) -> Manifest:
    dump = folder / DATABASE
    dump.touch(mode=0o600)
    # Rows are counted in the very state that is dumped, however much is written meanwhile.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot(), current_setting('server_version')")
        state, server_version = cursor.fetchone()
        tables = row_counts(cursor)
        cursor.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1")
        migrations = tuple(name for (name,) in cursor.fetchall())
        told(f"database: {sum(tables.values()):,} rows in {len(tables)} tables")
        run_program("pg_dump", "--format=custom", f"--snapshot={state}", "--no-owner", f"--file={dump}")
    # A file is stored before the row that names it, so those of the dump are there now, and some newer ones.
    files = _copy_files(Path(settings.PRIVATE_FILES), folder / FILES)
    told(f"files: {len(files):,}")
    manifest = Manifest(timezone.now().isoformat(), server_version, migrations, tables, checksum(dump), files)
    manifest.write(folder)
    return manifest


def _copy_files(source: Path, target: Path) -> dict[str, str]:
    target.mkdir(mode=0o700)
    copied = {}
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        place = target / file.relative_to(source)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(file, place)
        copied[str(file.relative_to(source))] = checksum(place)
    return copied
