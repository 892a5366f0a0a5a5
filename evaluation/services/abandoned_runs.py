"""Asks workers again for running runs on which too few of them work.

A message is lost with a broker that keeps nothing, and the one that a killed worker had taken comes back after an hour.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.models import Run
from evaluation.services.running import ask_for_runners
from evaluation.services.worker_reports import ASKED_FRESH_SECONDS, runners_now, was_asked


def ask_again(queues: Iterable[str]) -> list[str]:
    """Asks workers of `queues` for every run that was left to them and that misses some; returns the runs' slugs.

    Asking twice does no harm. Raises RedisError or Django's OperationalError while a server is away.
    """
    asked = []
    left_to_them = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.RUNNING, queue__in=list(queues))
    for pk, slug, queue, runners in left_to_them.values_list("pk", "slug", "queue", "runners"):
        missing = runners - runners_now(pk)
        if missing > 0 and not was_asked(pk):
            ask_for_runners(pk, missing, queue=queue, seconds=ASKED_FRESH_SECONDS)
            asked.append(slug)
    return asked
