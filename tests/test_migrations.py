"""Old code goes on beside new code: migrations only add, and take away in files of their own (docs/upgrading.md)."""

from __future__ import annotations

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

OURS = ("accounts", "common", "evaluation", "submissions")
# The first version begins with all of these: nobody ran what was before.
FIRST_VERSION = {"accounts": 5, "common": 5, "evaluation": 25, "submissions": 7}
TAKES_AWAY = (migrations.RemoveField, migrations.DeleteModel)
RENAMES = (migrations.RenameField, migrations.RenameModel)
WRITES_ROWS = migrations.RunPython


def problems(migration: migrations.Migration) -> list[str]:
    """What in this migration old code could not live with."""
    found = []
    taking = [one for one in migration.operations if isinstance(one, TAKES_AWAY)]
    writing = [one for one in migration.operations if isinstance(one, WRITES_ROWS)]
    if taking and (len(taking) != len(migration.operations) or not _says_that_it_takes(migration.name)):
        found.append("takes away beside other things, or without take_away_ in its name")
    if any(isinstance(one, RENAMES) for one in migration.operations):
        found.append("renames: add the new one, copy, and take the old one away a version later")
    if writing and len(writing) != len(migration.operations):
        found.append("writes rows and changes tables at once")
    if any(one.reverse_code is None for one in writing):
        found.append("cannot be taken back")
    made = {one.name_lower for one in migration.operations if isinstance(one, migrations.CreateModel)}
    return found + [
        f"{one.describe()}: old code writes rows without it"
        for one in migration.operations
        if _asks_old_code(one, made)
    ]


def _says_that_it_takes(name: str) -> bool:
    return name.partition("_")[2].startswith("take_away_")


def _asks_old_code(operation: Operation, made: set[str]) -> bool:
    """Whether it adds a column that rows of old code would lack."""
    if not isinstance(operation, migrations.AddField) or operation.model_name_lower in made:
        return False
    field = operation.field
    return not (field.null or field.many_to_many or field.has_db_default() or field.generated)


@pytest.mark.django_db
def test_every_migration_since_the_first_version_leaves_old_code_running() -> None:
    loader = MigrationLoader(connection)
    since = [
        migration
        for (app, name), migration in sorted(loader.disk_migrations.items())
        if app in OURS and int(name[:4]) > FIRST_VERSION[app]
    ]

    assert {f"{one.app_label} {one.name}": problems(one) for one in since if problems(one)} == {}


def _migration(name: str, *operations: Operation) -> migrations.Migration:
    kind = type("Migration", (migrations.Migration,), {"operations": list(operations)})
    made = kind(name, "evaluation")
    assert isinstance(made, migrations.Migration)
    return made


def _text(**options: object) -> models.Field:
    return models.CharField(max_length=10, **options)  # type: ignore[arg-type]


def test_what_only_adds_is_no_problem() -> None:
    empty = migrations.AddField("run", "words", _text(null=True))
    known = migrations.AddField("run", "more", _text(db_default=""))

    assert problems(_migration("0099_words", empty, known)) == []
    assert problems(_migration("0099_take_away_words", migrations.RemoveField("run", "words"))) == []


@pytest.mark.parametrize(
    "wrong",
    [
        _migration("0099_words", migrations.AddField("run", "words", _text(default=""))),
        _migration("0099_words", migrations.RemoveField("run", "words")),
        _migration("0099_words", migrations.RenameField("run", "a", "b")),
        _migration("0099_rows", migrations.RunPython(migrations.RunPython.noop)),
    ],
    ids=["asks", "takes away", "renames", "for good"],
)
def test_what_old_code_cannot_live_with_is_a_problem(wrong: migrations.Migration) -> None:
    assert problems(wrong) != []
