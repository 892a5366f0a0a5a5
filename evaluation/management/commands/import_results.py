"""`import_results PATH --release SLUG`: finished results of the first edition become a release."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.registry import choose_result_format
from evaluation.importers.writing.results import write_results
from evaluation.management.json_reports import refuse_unwritable, write_report
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Import finished results of the first edition as a release."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", type=Path, help="folder of published files, or a pipeline folder")
        parser.add_argument("--release", metavar="SLUG", required=True, help="name of the release")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        try:
            self.stderr.write("reading the source")
            results = choose_result_format(options["path"]).read(options["path"])
            report = write_results(actor=None, results=results, release=options["release"], progress=self.stderr.write)
        except FileProblem as problem:
            raise UnusableInput(str(problem)) from problem
        write_report(report, options["json"])
        return _summary(report)


def _summary(report: dict[str, Any]) -> str:
    n_unjudged = sum(report["unjudged"].values())
    numbers = (
        f"{report['models']} models, {report['benchmarks']} benchmarks, {report['metrics']} metrics "
        f"({report['metrics_of_unknown_polarity']} of unknown polarity), {report['conversations']:,} conversations, "
        f"{report['verdicts']:,} verdicts, {n_unjudged:,} unjudged, {report['extra_samples']:,} further samples, "
        f"{report['transcripts']:,} transcripts"
    )
    if report["status"] == "unchanged":
        return f"Release {report['release']} is unchanged: {numbers}."
    if report["status"] == "completed":
        return f"Completed release {report['release']} with {report['transcripts_attached']:,} transcripts: {numbers}."
    return f"Imported release {report['release']}: {numbers}."
