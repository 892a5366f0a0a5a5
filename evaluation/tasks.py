"""The Celery tasks of runs and releases; everything heavy is loaded by the worker that runs them."""

from __future__ import annotations

from typing import Any

import django.db
import psycopg
from celery import Task, shared_task
from django.conf import settings
from redis.exceptions import RedisError

from evaluation.services.running import TASK, ask_for_runners
from evaluation.workers import key_watch, parent_watch, run_watch, stopping  # noqa: F401  (they listen to signals)

_SECONDS_TO_RETRY = 5
_MOST_RETRIES = 1000
_SECONDS_TO_AUDIT = 60


@shared_task(name=TASK, bind=True, acks_late=True, max_retries=_MOST_RETRIES)
def run_evaluation(self: Task[Any, None], *, run: int) -> None:
    """One slice of work on a run; asks for the next one when there is more. Safe to run twice, and beside others."""
    from evaluation.workers import runner  # noqa: PLC0415  (only workers may load the model clients)

    queue = (self.request.delivery_info or {}).get("routing_key")
    try:
        end = runner.work_on(run, queue=queue)
    except (django.db.OperationalError, psycopg.OperationalError, RedisError) as error:
        raise self.retry(exc=error, countdown=_SECONDS_TO_RETRY) from error
    except Exception as error:
        # A fault of ours ends in a state that people see, never in a run that nobody works on.
        runner.pause_with(run, f"a worker failed ({type(error).__name__}); its log says more")
        raise
    if end in (runner.End.SLICE_OVER, runner.End.STOPPED):
        ask_for_runners(run, 1, queue=queue or settings.CELERY_TASK_DEFAULT_QUEUE)


@shared_task(name="evaluation.publish_release", acks_late=True)
def publish_release(*, request: int) -> None:
    """Publish what an operator asked for. Safe to run twice, and beside others."""
    from evaluation.services import release_requests  # noqa: PLC0415  (pandas; workers of runs do without)

    release_requests.work_on(request)


@shared_task(name="evaluation.keep_studies_going")
def keep_studies_going() -> None:
    """Remind raters of whom nothing was heard, and correct rates by labels that wait. Safe to run twice."""
    from evaluation.services.studies import correcting, reminding  # noqa: PLC0415  (pandas; workers of runs do without)

    reminding.remind_all()
    correcting.correct_what_is_missing()


@shared_task(name="evaluation.keep_schedules_going")
def keep_schedules_going() -> None:
    """Begin rounds that are due, and hold finished ones against the last release. Safe to run twice, beside others."""
    from evaluation.services import round_changes, schedules  # noqa: PLC0415  (pandas; workers of runs do without)

    schedules.begin_due()
    round_changes.compare_finished()


@shared_task(name="evaluation.keep_machine_studies_going")
def keep_machine_studies_going() -> None:
    """Start runs of studies that waited for another, and have auditors read on. Safe to run twice."""
    from evaluation.selectors.studies import audits  # noqa: PLC0415  (pandas; workers of runs do without)
    from evaluation.services.studies.machine import starting  # noqa: PLC0415

    starting.go_on_all()
    for study in audits.studies_to_audit():
        audit_study.apply_async(kwargs={"study": study}, queue=settings.PORTAL_QUEUE, expires=_SECONDS_TO_AUDIT)


@shared_task(name="evaluation.audit_study", acks_late=True)
def audit_study(*, study: int) -> None:
    """One slice of an auditor's reading; the clock asks for the next. Safe to run twice, and beside others."""
    from evaluation.models import Study  # noqa: PLC0415
    from evaluation.workers import auditing  # noqa: PLC0415  (only workers may load the model clients)

    auditing.audit_study(Study.objects.get(pk=study))


@shared_task(name="evaluation.publish_what_waits")
def publish_what_waits() -> None:
    """Publish what was asked for and has lost its worker. Safe to run twice, and beside others."""
    from evaluation.services import release_requests  # noqa: PLC0415  (pandas; workers of runs do without)

    for request in release_requests.waiting():
        release_requests.work_on(request)
