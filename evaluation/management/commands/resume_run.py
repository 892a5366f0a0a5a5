"""Lets a paused run go on."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.local_workers import workers_asked_for
from evaluation.management.working_off import check_ended_well, report, run_named, summary, work_off
from evaluation.services import running
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import UnusableInput


class Command(ImpactBenchCommand):
    help = "Let a paused run go on, by running workers or by workers of its own."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument("--workers", type=int, default=0, help="worker processes of its own (default: none)")
        parser.add_argument("--budget", metavar="USD", help="another budget from now on; `none` for no limit")

    def run(self, options: dict[str, Any]) -> str:
        run = run_named(options["run"])
        budget = _budget(options["budget"])
        workers = workers_asked_for(options["workers"])
        running.resume(run)
        if options["budget"] is not None:
            running.raise_budget(run, budget)
        work_off(run, workers=workers, wait=workers > 0, out=self.stdout)
        if options["workers"] == 0:
            return f"run {run.slug} goes on as soon as a worker is free; see run_status {run.slug}"
        found = report(run)
        check_ended_well(found)
        return summary(found)


def _budget(text: str | None) -> Decimal | None:
    if text is None or text == "none":
        return None
    try:
        usd = Decimal(text)
    except InvalidOperation:
        usd = Decimal(-1)
    if not usd.is_finite() or not 0 <= usd < 10**8:
        raise UnusableInput(f"--budget must be a number of US dollars or none, not {text!r}")
    return usd
