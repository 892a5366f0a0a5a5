"""`verify_release SLUG`: recomputes every number of a release and compares bit for bit."""

from argparse import ArgumentParser
from typing import Any

from evaluation.services import verification
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError

SHOWN = 20


class Command(ImpactBenchCommand):
    help = "Recompute a release from its saved judgments and compare bit for bit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the release")

    def run(self, options: dict[str, Any]) -> str:
        differences = verification.verify(options["slug"])
        for difference in differences[:SHOWN]:
            self.stderr.write(difference)
        if len(differences) > SHOWN:
            self.stderr.write(f"... and {len(differences) - SHOWN:,} more")
        if differences:
            raise DomainError(
                f"release {options['slug']} does not follow from its judgments: {len(differences):,} differences"
            )
        return f"Release {options['slug']} is verified: every number follows from its judgments, bit for bit."
