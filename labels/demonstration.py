"""How far the demonstration run has come, for everybody to see while it is worked off."""

from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.models import Run

UNFINISHED = (Run.State.CREATED, Run.State.RUNNING, Run.State.PAUSED)


@dataclass(frozen=True)
class DemonstrationProgress:
    """Conversations of the run: `done` were held and judged, or ended with a reason."""

    run: Run
    done: int
    held: int
    total: int

    @property
    def is_paused(self) -> bool:
        return self.run.state == Run.State.PAUSED


def demonstration_progress() -> DemonstrationProgress | None:
    """The unfinished demonstration run with its counts, in one query; None when there is none."""
    counted = Run.objects.filter(is_demonstration=True, state__in=UNFINISHED).annotate(
        total=Count("conversations"),
        held=Count("conversations", filter=Q(conversations__state__in=["finished", "failed"])),
        done=Count(
            "conversations",
            filter=Q(conversations__state="finished", conversations__is_judged=True) | Q(conversations__state="failed"),
        ),
    )
    run = counted.order_by("-created_at").first()
    return None if run is None else DemonstrationProgress(run, done=run.done, held=run.held, total=run.total)
