"""How far the demonstration run has come, for everybody to see while it is worked off."""

from dataclasses import dataclass

from evaluation.models import Run
from evaluation.selectors.progress import Progress, run_progress

UNFINISHED = (Run.State.CREATED, Run.State.RUNNING, Run.State.PAUSED)


@dataclass(frozen=True)
class Demonstration:
    """The unfinished demonstration run and how far it has come."""

    run: Run
    progress: Progress

    @property
    def is_paused(self) -> bool:
        return self.run.state == Run.State.PAUSED


def unfinished_demonstration() -> Demonstration | None:
    """The newest demonstration run that is not over, in two queries; None when there is none."""
    run = Run.objects.filter(is_demonstration=True, state__in=UNFINISHED).order_by("-created_at").first()
    return None if run is None else Demonstration(run, run_progress(run))
