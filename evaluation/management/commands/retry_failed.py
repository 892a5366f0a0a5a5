"""Tries what failed in a run again."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.management.local_workers import workers_asked_for
from evaluation.management.working_off import check_ended_well, report, run_named, summary, work_off
from evaluation.services import trying_again
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Try again what failed in a run for reasons that may pass; saved turns are kept and gone on from."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument(
            "--reason", metavar="CODE", nargs="+", help="only these reasons (default: all that may pass)"
        )
        parser.add_argument("--workers", type=int, default=None)
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        workers = workers_asked_for(options["workers"])
        run = run_named(options["run"])
        tried = trying_again.try_again(run, reasons=options["reason"])
        self.stdout.write(f"{tried.conversations} conversations and {tried.judgments} judgments are tried again")
        run.refresh_from_db(fields=["state"])
        work_off(run, workers=workers, wait=True, out=self.stdout)
        found = report(run)
        write_report(found, options["json"])
        check_ended_well(found)
        return summary(found)
