"""`retract_release SLUG --reason T`: retracts a release; nothing is deleted."""

from argparse import ArgumentParser
from typing import Any

from evaluation.services import publishing
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Retract a release with a reason that its readers will see."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the release")
        parser.add_argument("--reason", required=True, help="why, in a sentence for the public")

    def run(self, options: dict[str, Any]) -> str:
        release = publishing.retract(actor=None, slug=options["slug"], reason=options["reason"])
        return f"Retracted release {release.slug}."
