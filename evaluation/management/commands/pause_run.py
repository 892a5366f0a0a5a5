"""Pauses a run."""

from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.working_off import run_named
from evaluation.services import running
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Pause a run after the turns under way."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN")

    def run(self, options: dict[str, Any]) -> str:
        run = running.pause(run_named(options["run"]))
        return f"run {run.slug} paused; resume_run {run.slug} goes on"
