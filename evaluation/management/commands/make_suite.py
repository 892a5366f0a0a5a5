"""`make_suite SLUG [--run RUN...] [--benchmark SLUG...]`: names what is tested, for plans with `suite:`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.selectors.suite_coverage import SuiteCoverage, coverage_of
from evaluation.services.suites import make_suite
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Name metrics and scenarios, so that another model can be tested on the very same ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the suite")
        parser.add_argument("--run", metavar="RUN", nargs="+", action="extend", default=[], help="what runs measured")
        parser.add_argument(
            "--benchmark", metavar="SLUG", nargs="+", action="extend", default=[], help="all that benchmarks can run"
        )
        parser.add_argument("--title", default="", help="what people call it")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write what it covers and lacks here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        suite, is_new = make_suite(
            slug=options["slug"], runs=options["run"], benchmarks=options["benchmark"], title=options["title"]
        )
        covered = coverage_of(suite)
        self._tell(covered)
        report = {"suite": str(suite), "is_new": is_new, "title": suite.title, **covered.to_json()}
        write_report(report, options["json"])
        counts = f"{covered.n_metrics:,} metrics, {covered.n_scenarios:,} scenarios"
        return f"{'Made suite' if is_new else 'Unchanged: suite'} {suite}: {counts}. In a plan: `suite: {suite}`."

    def _tell(self, covered: SuiteCoverage) -> None:
        self.stderr.write(
            f"{covered.n_positive} metrics of good and {covered.n_negative} of harmful behaviour "
            f"from {covered.n_benchmarks} benchmarks"
        )
        for subarea in covered.subareas:
            if subarea.n_metrics:
                told = f"{subarea.n_positive} good, {subarea.n_negative} harmful"
                self.stderr.write(f"  {subarea.area} / {subarea.name}: {told}")
        for lack in covered.lacks:
            more = ", ..." if lack.count > len(lack.examples) else ""
            self.stderr.write(f"missing: {lack.sentence}: {', '.join(lack.examples)}{more}")
