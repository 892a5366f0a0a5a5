"""Asks workers again for running runs on which too few of them work.

A message is lost with a broker that keeps nothing, and the one that a killed worker had taken comes back after an hour.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.models import Run
from evaluation.services.running import ask_for_runners, free_dead_leases
from evaluation.services.worker_reports import ASKED_FRESH_SECONDS, runners_now, was_asked


def ask_again(queues: Iterable[str]) -> dict[str, int]:
    """Asks workers of `queues` for every run that was left to them and that misses some; how many are at each such run.

    Asking twice does no harm. Raises RedisError or Django's OperationalError while a server is away.
    """
    asked: dict[str, int] = {}
    going_on = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.RUNNING)
    for run in going_on.filter(queue__in=list(queues)).defer("spec"):
        there = runners_now(run.pk)
        missing = run.runners - there
        if missing > 0 and not was_asked(run.pk):
            free_dead_leases(run)
            ask_for_runners(run.pk, missing, queue=run.queue, seconds=ASKED_FRESH_SECONDS)
            asked[run.slug] = there
    return asked
