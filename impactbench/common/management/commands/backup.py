"""`backup PATH`: the database and all sent files as a folder, while the platform runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from impactbench.common.backups.making import make_backup
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Write the database and all sent files into a new folder, for `restore`. It holds personal data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", type=Path, help="a new folder")

    def run(self, options: dict[str, Any]) -> str:
        manifest = make_backup(options["path"], self.stderr.write)
        rows = sum(manifest.tables.values())
        return (
            f"Backed up {rows:,} rows and {len(manifest.files):,} files to {options['path']}. "
            "Keep SECRET_KEY with it: without that key second factors must be set up again."
        )
