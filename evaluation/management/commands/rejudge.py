"""Judges saved transcripts again."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.management.local_workers import workers_asked_for
from evaluation.management.working_off import check_ended_well, report, run_named, summary, work_off
from evaluation.services import judging, running
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Judge the saved transcripts of a finished run by further judges, without a new conversation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument("--judge", metavar="SLUG", nargs="+", required=True)
        parser.add_argument("--repeats", type=int, default=1, metavar="K")
        parser.add_argument("--workers", type=int, default=None)
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        workers = workers_asked_for(options["workers"])
        run = run_named(options["run"])
        unread = judging.judge_again(run, judges=options["judge"], repeats=options["repeats"])
        if unread:
            running.judge_again(run)
            work_off(run, workers=workers, wait=True, out=self.stdout)
        found = report(run)
        write_report(found, options["json"])
        check_ended_well(found)
        return summary(found)
