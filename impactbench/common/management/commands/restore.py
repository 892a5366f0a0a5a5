"""`restore PATH`: the platform as it was when the backup was made, in an unused database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from impactbench.common.backups.restoring import restore_backup
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.readiness import join_servers


class Command(ImpactBenchCommand):
    help = "Put a backup into an unused database and bring it up to this version."

    # It makes the tables itself: nothing is migrated that would be dropped a moment later.
    needs_servers = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", type=Path, help="a folder that `backup` wrote")

    def run(self, options: dict[str, Any]) -> str:
        self.lease = join_servers()
        manifest = restore_backup(options["path"], self.stderr.write)
        rows = sum(manifest.tables.values())
        return f"Restored {rows:,} rows and {len(manifest.files):,} files of {manifest.made_at}."
