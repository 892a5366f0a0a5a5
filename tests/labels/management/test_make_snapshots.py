"""`make_snapshots`: what it says and how it ends."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.labels.api.conftest import small  # noqa: F401  (a fixture)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small")]


def said(*arguments: str) -> tuple[str, list[str]]:
    """The summary, and the lines of progress."""
    out, progress = StringIO(), StringIO()
    call_command("make_snapshots", *arguments, stdout=out, stderr=progress)
    return out.getvalue().strip(), progress.getvalue().splitlines()


def test_releases_are_made_once(tmp_path: Path, settings: Any) -> None:
    settings.SNAPSHOTS = tmp_path

    first, progress = said("--release", "small")
    second, nothing_new = said()

    assert first == "Snapshots of releases: 1 made; 0.1 MB on disk."
    assert (progress[0], len(progress), progress[-1]) == ("small: results.parquet: 72 rows", 13, "small: made")
    assert second == "Snapshots of releases: 0 made, 1 there already; 0.1 MB on disk."
    assert nothing_new == ["small: there already"]


def test_unknown_release_is_unusable_input(tmp_path: Path, settings: Any) -> None:
    settings.SNAPSHOTS = tmp_path

    with pytest.raises(CommandError, match=r"^there is no release big; the newest are: small$") as refused:
        said("--release", "big")
    assert refused.value.returncode == 2


def test_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path, settings: Any) -> None:
    settings.SNAPSHOTS = tmp_path / "file"
    settings.SNAPSHOTS.write_text("no folder")

    with pytest.raises(CommandError, match=r"cannot be written: Not a directory$") as refused:
        said()
    assert refused.value.returncode == 1
