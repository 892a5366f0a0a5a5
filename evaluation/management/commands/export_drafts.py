"""`export_drafts`: what language models drafted for a benchmark and what became of each draft, as a table."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.drafting.briefs import benchmark_named
from evaluation.drafting.table import COLUMNS, csv_rows, rows_of_drafts
from evaluation.management.json_reports import refuse_unwritable
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.csv_files import csv_lines
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Write a table of all drafts of a benchmark: kept, revised, merged or removed, by whom and why."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", metavar="SLUG", required=True)
        parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="ends in .csv or .json")

    def run(self, options: dict[str, Any]) -> str:
        path: Path = options["out"]
        if path.suffix not in (".csv", ".json"):
            raise UnusableInput("--out must end in .csv or .json")
        refuse_unwritable(path)
        benchmark = benchmark_named(options["benchmark"])
        if path.suffix == ".json":
            rows = list(rows_of_drafts(benchmark))
            path.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                file.writelines(csv_lines(COLUMNS, csv_rows(benchmark)))
        return f"{benchmark.generated_drafts.count()} drafts written to {path}."
