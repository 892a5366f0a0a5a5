"""`export_results --release SLUG --format F --out PATH`: what a release holds, as files, whole or not at all."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import transaction

from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput
from impactbench.common.whole_files import made_whole
from labels.snapshots.chosen import release_named
from labels.snapshots.inspect_logs import write_inspect_logs
from labels.snapshots.parts import PARTS
from labels.snapshots.snapshot import write_snapshot
from labels.snapshots.writing import FORMATS

INSPECT = "inspect"
ALL = "all"


class Command(ImpactBenchCommand):
    help = "Write what a release holds as files: one table, or all of them with manifest and checksums."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--release", metavar="SLUG", required=True)
        parser.add_argument("--format", choices=(*FORMATS, INSPECT), required=True)
        parser.add_argument("--out", metavar="PATH", type=Path, required=True, help="a new file; for all, a new folder")
        parser.add_argument(
            "--what",
            choices=(*PARTS, ALL),
            help="one table (results), or all in a folder with a manifest; inspect writes conversations, a log a model",
        )

    def run(self, options: dict[str, Any]) -> str:
        release = release_named(options["release"])
        what, format_, path = options["what"], options["format"], options["out"]
        if format_ == INSPECT and what not in {None, "conversations", ALL}:
            raise UnusableInput(
                f"a log of Inspect holds conversations; leave --what {what} out or choose another format"
            )
        with _new(path) as made, transaction.atomic():
            if format_ == INSPECT:
                n = write_inspect_logs(release, made)
                return f"Wrote {n:,} conversations of {release.slug} to {path}: a log for each model."
            if what == ALL:
                files = write_snapshot(release, [format_], made, self._tell)["files"]
                return f"Wrote {len(files)} tables of {release.slug} to {path}, with manifest and checksums."
            part = PARTS[what or "results"]
            n = FORMATS[format_](part.rows(release), part.columns(), made)
        return f"Wrote {n:,} {part.name} of {release.slug} to {path}."

    def _tell(self, line: str) -> None:
        self.stderr.write(line)


@contextmanager
def _new(path: Path) -> Iterator[Path]:
    """`made_whole`, with what goes wrong in a sentence: raises UnusableInput."""
    try:
        with made_whole(path) as made:
            yield made
    except FileExistsError as problem:
        raise UnusableInput(f"{path} is there already; name another place, nothing is written over") from problem
    except OSError as problem:
        raise UnusableInput(f"{path} cannot be written: {problem.strerror}") from problem
