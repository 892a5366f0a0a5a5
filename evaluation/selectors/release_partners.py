"""Which finished runs may stand in one release with another."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Run, StudyCondition
from evaluation.services import publishing
from evaluation.services.run_likeness import differences_in_making

_MOST = 50


@dataclass(frozen=True, slots=True)
class Partner:
    """Another finished run; `differs` says in what it was made differently, empty where it was not."""

    run: Run
    judges: tuple[str, ...]
    differs: str


def is_publishable(run: Run) -> bool:
    """Whether a release can be made of the run, as far as its state tells; never of one that a study is run by."""
    is_over = run.kind == Run.Kind.EVALUATION and run.state in publishing.PUBLISHABLE
    return is_over and not StudyCondition.objects.filter(run=run).exists()


def partners_of(run: Run) -> list[Partner]:
    """The newest other runs of our own that are over and whose results are a release's; none is read for verdicts."""
    found = Run.objects.filter(kind=Run.Kind.EVALUATION, state__in=publishing.PUBLISHABLE, condition=None)
    others = (
        found.exclude(pk=run.pk)
        .select_related("user_simulator")
        .prefetch_related("judges")
        .order_by("-created_at")[:_MOST]
    )
    own = {judge.slug for judge in run.judges.all()}
    return [_partner(run, other, own) for other in others]


def _partner(run: Run, other: Run, own: set[str]) -> Partner:
    judges = tuple(sorted(judge.slug for judge in other.judges.all()))
    # Runs that share a judge can be published by that judge alone.
    differs = differences_in_making([run, other], judge_is_named=bool(own & set(judges)))
    return Partner(other, judges, differs[0] if differs else "")
