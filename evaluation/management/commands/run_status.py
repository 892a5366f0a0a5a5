"""Tells how far a run has come."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.management.working_off import report, run_named, summary
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Tell how far a run has come and what it has cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        found = report(run_named(options["run"]))
        write_report(found, options["json"])
        return summary(found) + (f" ({found['reason']})" if found["reason"] else "")
