"""Keeps the files of each release as they should be: made once, made anew when they would differ, never half."""

from enum import StrEnum
from pathlib import Path

from django.db import transaction

from evaluation.models import Release
from impactbench.common import locking, page_version
from impactbench.common.whole_files import made_whole, remove
from labels.snapshots.kept import folder_of
from labels.snapshots.snapshot import Told, edition_of, silent, write_snapshot

FORMATS = ("parquet", "jsonl.gz")


class Outcome(StrEnum):
    """What came of keeping a release's files."""

    MADE = "made"
    KEPT = "there already"
    BUSY = "being made by another process"


def keep_snapshot(release: Release, told: Told = silent) -> Outcome:
    """See that the release's files are there and say what it says today. Safe to run twice, and beside others.

    What was there stays until the new files are whole. Raises OSError where the disk refuses them.
    """
    with transaction.atomic():
        if not locking.taken(f"snapshot {release.slug}"):
            return Outcome.BUSY
        outcome = _keep(release, folder_of(release) / edition_of(release), told)
        if outcome is Outcome.MADE:
            page_version.bump()
        return outcome


def _keep(release: Release, folder: Path, told: Told) -> Outcome:
    is_there = folder.exists()
    if not is_there:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with made_whole(folder) as made:
            write_snapshot(release, FORMATS, made, told)
    # Hidden ones first: they were left by a process that was killed.
    for other in sorted(folder.parent.iterdir()):
        if other != folder:
            _take_away(other)
    return Outcome.KEPT if is_there else Outcome.MADE


def _take_away(folder: Path) -> None:
    """Out of sight first, so that nobody finds half of it. Whoever is reading a file of it reads it to its end."""
    remove(folder.rename(folder.with_name(f".{folder.name.lstrip('.')}")))
