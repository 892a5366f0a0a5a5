"""Backup, destroy, restore: the same rows, the same release, the same audit trail, the same files."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from impactbench.common import private_files
from impactbench.common.audit import record
from impactbench.common.backups.manifest import MANIFEST
from impactbench.common.backups.tables import FILLED_BY_MIGRATIONS, row_counts
from impactbench.common.uploads import CheckedUpload
from tests.support.builders import make_release
from tests.support.commands import database_url, finished

OTHER = "restored"
LETTER = CheckedUpload("letter.txt", "text/plain", 12, hashlib.sha256(b"dear editors").hexdigest(), b"dear editors")


@contextmanager
def other_database() -> Iterator[str]:
    """An empty database beside that of the tests, as DATABASE_URL."""
    own, other = connection.settings_dict["NAME"], f"{connection.settings_dict['NAME']}_{OTHER}"
    with psycopg.connect(database_url(), autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(other)))
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(other)))
        try:
            yield database_url().replace(f"/{own}?", f"/{other}?")
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(other)))


def backed_up(folder: Path) -> str:
    out = StringIO()
    call_command("backup", str(folder), stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def audit_trail(address: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as database:
        return database.execute("SELECT * FROM common_auditevent ORDER BY id").fetchall()


@pytest.mark.django_db(transaction=True)
def test_destroyed_platform_comes_back_with_the_same_release_trail_and_files(tmp_path: Path, settings: Any) -> None:
    settings.PRIVATE_FILES = tmp_path / "home" / "files"
    release = make_release()
    record(actor=None, action="release-published", target=release)
    stored = private_files.store(LETTER)
    trail = audit_trail(database_url())

    said = backed_up(tmp_path / "backup")
    (settings.PRIVATE_FILES / stored).unlink()

    assert said.startswith("Backed up ")
    assert " and 1 files to " in said
    with other_database() as address:
        home = tmp_path / "home"
        code, out, err = finished("restore", tmp_path / "backup", home=home, DATABASE_URL=address)
        assert (code, out.startswith("Restored "), err.splitlines()[0].endswith(": whole")) == (0, True, True), err
        assert audit_trail(address) == trail != []
        code, out, err = finished("verify_release", release.slug, home=home, DATABASE_URL=address)
        assert (code, out.startswith(f"Release {release.slug} is verified")) == (0, True), err
        with psycopg.connect(address) as database:
            hashes = database.execute("SELECT content_hash FROM evaluation_release").fetchall()
        assert hashes == [(release.content_hash,)]
        assert (settings.PRIVATE_FILES / stored).read_bytes() == b"dear editors"

        code, _out, err = finished("restore", tmp_path / "backup", home=home, DATABASE_URL=address)
        assert (code, "the database is in use: " in err) == (2, True)


@pytest.mark.django_db
def test_migrations_fill_no_other_table() -> None:
    with connection.cursor() as cursor:
        filled = {name for name, n in row_counts(cursor).items() if n}

    assert filled <= FILLED_BY_MIGRATIONS


@pytest.fixture
def backup(tmp_path: Path, settings: Any, transactional_db: None) -> Path:
    """A backup of a platform with one sent file."""
    settings.PRIVATE_FILES = tmp_path / "files"
    private_files.store(LETTER)
    backed_up(tmp_path / "backup")
    return tmp_path / "backup"


def refusal(folder: Path) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(folder), stderr=StringIO())
    assert refused.value.returncode == 2
    return str(refused.value)


def test_backup_is_for_its_owner_alone_and_not_written_over(backup: Path) -> None:
    assert [oct(backup.stat().st_mode), oct((backup / "database.dump").stat().st_mode)] == ["0o40700", "0o100600"]
    with pytest.raises(CommandError, match=r"backup is there already; name another place, no backup is written over$"):
        backed_up(backup)


def test_damaged_backup_is_refused(backup: Path) -> None:
    dump = backup / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-1])

    assert refusal(backup) == "the backup is damaged: database.dump is missing or changed; take another backup"


def test_backup_that_lacks_a_file_is_refused(backup: Path) -> None:
    [file] = [path for path in (backup / "files").rglob("*") if path.is_file()]
    file.unlink()

    name = file.relative_to(backup)
    assert refusal(backup) == f"the backup is damaged: {name} is missing or changed; take another backup"


def test_backup_of_a_newer_version_is_refused(backup: Path) -> None:
    manifest = json.loads((backup / MANIFEST).read_text())
    manifest["migrations"].append("evaluation.9999_later")
    (backup / MANIFEST).write_text(json.dumps(manifest))

    assert refusal(backup) == (
        "the backup is of a newer version, which has evaluation.9999_later; restore it with that version"
    )


def test_server_that_is_too_old_for_our_programs_is_refused(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "pg_version", 16_00_04)

    assert refusal(backup) == (
        "the database is PostgreSQL 16, and our pg_restore needs a server of version 17 or later; "
        "name one in DATABASE_URL, also for a backup of an older one"
    )


def test_folder_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path} is no backup: it has no manifest.json that `backup` wrote"


def test_backup_that_cannot_be_made_leaves_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    transactional_db: None,
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("impactbench.common.backups.making.run_program", full)

    with pytest.raises(CommandError, match="cannot be written: No space left on device"):
        backed_up(tmp_path / "backup")
    assert list(tmp_path.iterdir()) == []
