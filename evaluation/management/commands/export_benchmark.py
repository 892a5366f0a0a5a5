"""`export_benchmark SLUG --out DIR`: the native format, whose import is `unchanged`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.importers.formats import native
from evaluation.importers.writing.exporting import exported_benchmark
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Write a benchmark as a native folder (benchmark.yaml, scenarios.json)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the benchmark")
        parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder to write into")

    def run(self, options: dict[str, Any]) -> str:
        export = exported_benchmark(options["slug"])
        try:
            native.write(export.benchmark, options["out"])
        except OSError as problem:
            raise UnusableInput(f"{options['out']} cannot be written: {problem.strerror}") from problem
        left_out = ""
        if export.n_metrics_left_out or export.n_scenarios_left_out:
            left_out = (
                f"; left out as too incomplete for this format: {export.n_metrics_left_out} metrics, "
                f"{export.n_scenarios_left_out} scenarios"
            )
        n_metrics, n_scenarios = len(export.benchmark.metrics), len(export.benchmark.scenarios)
        return (
            f"Exported {options['slug']} to {options['out']}: {n_metrics} metrics, {n_scenarios} scenarios{left_out}."
        )
