"""Creates a run of a plan, or goes on with it."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.json_reports import refuse_unwritable, write_report
from evaluation.management.local_workers import workers_asked_for
from evaluation.management.working_off import check_ended_well, report, summary, work_off
from evaluation.models import Run
from evaluation.services import planning, running
from evaluation.services.plan_resolving import missing_keys
from evaluation.services.worker_reports import known_keys
from impactbench.common.commands import ImpactBenchCommand
from impactbench.common.errors import DomainError, UnusableInput


class Command(ImpactBenchCommand):
    help = "Create the run of a plan, or resume it when the same plan is given again, and work it off."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plan", metavar="PLAN.yaml", type=Path)
        parser.add_argument(
            "--workers", type=int, default=None, help="worker processes of its own; 0 leaves it to running workers"
        )
        parser.add_argument("--no-wait", action="store_true", help="with --workers 0: return at once")
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the report here")

    def run(self, options: dict[str, Any]) -> str:
        refuse_unwritable(options["json"])
        waits_for_none = options["no_wait"] and options["workers"] is None
        workers = 0 if waits_for_none else workers_asked_for(options["workers"])
        if options["no_wait"] and workers:
            raise UnusableInput("--no-wait leaves the run to running workers; it goes with --workers 0 only")
        run = self._started(options["plan"], needs_keys=workers > 0)
        work_off(run, workers=workers, wait=not options["no_wait"], out=self.stdout)
        found = report(run)
        write_report(found, options["json"])
        if options["no_wait"] and found["state"] == Run.State.RUNNING:
            return f"run {run.slug} is left to running workers; see run_status {run.slug}"
        check_ended_well(found)
        return summary(found)

    def _started(self, path: Path, *, needs_keys: bool) -> Run:
        resolved = planning.load_plan(path)
        known = None if needs_keys else known_keys()
        missing = missing_keys(resolved.models.values(), known)
        is_finished = Run.objects.filter(slug=resolved.plan.name, state=Run.State.FINISHED).exists()
        # Before the plan is frozen: a mistyped api_key_env can still be corrected in it.
        if missing and (needs_keys or known is not None) and not is_finished:
            where = "" if needs_keys else " where workers start, start them again"
            raise DomainError(f"{'; '.join(missing)}; set it{where} and give the same command again")
        run, is_new = planning.freeze(resolved)
        if missing and not is_finished:
            self.stderr.write(f"note: {'; '.join(missing)} here; the workers need it")
        running.start(run)
        word = "created" if is_new else "known"
        self.stdout.write(f"run {run.slug} ({word}): {resolved.n_conversations} conversations")
        self.stdout.flush()
        return run
