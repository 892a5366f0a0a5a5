"""`make_snapshots [--release SLUG]`: the files of releases that everybody may download, made or made anew."""

from argparse import ArgumentParser
from typing import Any

from evaluation.models import Release
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError
from labels.snapshots.chosen import all_releases, release_named
from labels.snapshots.keeping import Outcome, keep_snapshot
from labels.snapshots.kept import folder_of, kept_files


class Command(ImpactBenchCommand):
    help = "Make the files of releases that the site offers; those that are there and up to date stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--release", metavar="SLUG", help="this one only (all)")

    def run(self, options: dict[str, Any]) -> str:
        slug = options["release"]
        releases = [release_named(slug)] if slug else list(all_releases())
        outcomes = [self._keep(release) for release in releases]
        counts = ", ".join(f"{outcomes.count(one)} {one}" for one in Outcome if one in outcomes or one is Outcome.MADE)
        size = sum(file.bytes for release in releases for file in kept_files(release) or ())
        return f"Snapshots of releases: {counts}; {size / 1e6:,.1f} MB on disk."

    def _keep(self, release: Release) -> Outcome:
        try:
            outcome = keep_snapshot(release, lambda line: self.stderr.write(f"{release.slug}: {line}"))
        except OSError as problem:
            raise DomainError(f"{folder_of(release)} cannot be written: {problem.strerror}") from problem
        self.stderr.write(f"{release.slug}: {outcome}")
        return outcome
