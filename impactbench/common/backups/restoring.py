"""Makes the platform anew from a backup, in a database that nobody has used yet."""

import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from impactbench.common import page_version
from impactbench.common.backups.manifest import DATABASE, FILES, Manifest, read_manifest
from impactbench.common.backups.programs import run_program
from impactbench.common.backups.tables import FILLED_BY_MIGRATIONS, row_counts
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.readiness import apply_pending_migrations
from impactbench.common.whole_files import checksum

# As Django counts them. What pg_restore sets before all else is unknown to older ones.
OLDEST_SERVER = 17_00_00


def restore_backup(folder: Path, told: Callable[[str], None]) -> Manifest:
    """Put database and files of a backup in place, and bring the tables up to this version.

    All is checked first: that the backup is whole, that this version knows its tables, that the database is unused.
    Raises UnusableInput or DomainError, and then nothing is changed.
    """
    manifest = read_manifest(folder)
    _check_whole(folder, manifest)
    _check_known(manifest)
    _check_server()
    _check_unused()
    told(f"backup of {manifest.made_at}: whole")
    _copy_files(folder / FILES, manifest)
    told(f"files: {len(manifest.files):,}")
    _restore_database(folder / DATABASE)
    with connection.cursor() as cursor:
        found = row_counts(cursor)
    if found != manifest.tables:
        wrong = sorted(name for name in {*found, *manifest.tables} if found.get(name) != manifest.tables.get(name))
        raise DomainError(
            f"other numbers of rows than in the backup: {', '.join(wrong)}; restore into another database"
        )
    told(f"database: {sum(found.values()):,} rows in {len(found)} tables, as many as in the backup")
    apply_pending_migrations()
    return manifest


def _check_whole(folder: Path, manifest: Manifest) -> None:
    wanted = {DATABASE: manifest.database} | {f"{FILES}/{name}": sum_ for name, sum_ in manifest.files.items()}
    for name, sum_ in wanted.items():
        file = folder / name
        if not file.is_file() or checksum(file) != sum_:
            raise UnusableInput(f"the backup is damaged: {name} is missing or changed; take another backup")


def _check_known(manifest: Manifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    newer = sorted(set(manifest.migrations) - known)
    if newer:
        raise UnusableInput(f"the backup is of a newer version, which has {newer[-1]}; restore it with that version")


def _check_server() -> None:
    found = connection.pg_version  # type: ignore[attr-defined]  # PostgreSQL's
    if found < OLDEST_SERVER:
        raise UnusableInput(
            f"the database is PostgreSQL {found // 10_000}, and our pg_restore needs a server of version "
            f"{OLDEST_SERVER // 10_000} or later; name one in DATABASE_URL, also for a backup of an older one"
        )


def _check_unused() -> None:
    with connection.cursor() as cursor:
        used = [name for name, n in row_counts(cursor).items() if n and name not in FILLED_BY_MIGRATIONS]
    if used:
        raise UnusableInput(
            f"the database is in use: {used[0]} has rows; a backup goes into an empty database, named in DATABASE_URL, "
            "or into a new IMPACTBENCH_HOME"
        )


def _restore_database(dump: Path) -> None:
    """The dump in place of the unused tables; where it fails the database is left empty, which is as unused."""
    with connection.cursor() as cursor:
        # Not pg_restore's own --clean: tables of a newer version would hold on to those of the dump.
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    connection.close()
    run_program(
        "pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction",
        f"--dbname={connection.settings_dict['NAME']}", dump,
    )  # fmt: skip
    # Pages that were made from the tables before must not be shown any more.
    page_version.bump()


def _copy_files(source: Path, manifest: Manifest) -> None:
    target = Path(settings.PRIVATE_FILES)
    try:
        for name in manifest.files:
            place = target / name
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copy2(source / name, place)
    except OSError as problem:
        raise DomainError(f"the files cannot be written to {target}: {problem.strerror}") from problem
