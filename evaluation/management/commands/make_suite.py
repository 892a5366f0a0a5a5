"""`make_suite SLUG --run RUN...`: names what runs measured, for plans with `suite:`."""

from argparse import ArgumentParser
from typing import Any

from evaluation.services.suites import make_suite
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Name the metrics and scenarios of runs, so that another model can be tested on the very same ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the suite")
        parser.add_argument("--run", metavar="RUN", nargs="+", action="extend", required=True, help="runs to take over")

    def run(self, options: dict[str, Any]) -> str:
        suite, is_new = make_suite(slug=options["slug"], runs=options["run"])
        counts = f"{suite.metric_versions.count():,} metrics, {suite.scenarios.count():,} scenarios"
        return f"{'Made suite' if is_new else 'Unchanged: suite'} {suite}: {counts}. In a plan: `suite: {suite}`."
