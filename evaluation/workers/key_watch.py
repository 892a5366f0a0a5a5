"""Lets planning know which keys this worker has: the names of the variables, never what is in them."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from django.db import connection
from redis.exceptions import RedisError

from evaluation.models import LanguageModel
from evaluation.services import worker_reports
from evaluation.services.lease_owners import new_owner
from impactbench.common.model_keys import named_like_keys

logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_REPORTS = 15.0
_stopped = threading.Event()


def names_of_keys() -> set[str]:
    """The variables with a value here that registered models name, or that are named like a key.

    The latter, since a plan may bring its models with it: on a new site no model is registered before the first plan.
    """
    registered = LanguageModel.objects.exclude(api_key_env=None).values_list("api_key_env", flat=True).distinct()
    named = {*registered, *named_like_keys(os.environ)}
    return {name for name in named if name and os.environ.get(name, "").strip()}


@worker_ready.connect
def begin(sender: Any = None, **_: Any) -> None:
    """Reports from a thread, where this worker stands at the common queue; a run's own workers speak for nobody."""
    app = getattr(sender, "app", None)
    if app is not None and settings.CELERY_TASK_DEFAULT_QUEUE in app.amqp.queues.consume_from:
        threading.Thread(target=_report, args=(new_owner(),), name="key-watch", daemon=True).start()


@worker_shutdown.connect
def end(**_: Any) -> None:
    _stopped.set()


def _report(owner: str) -> None:
    while True:
        try:
            worker_reports.report_keys(owner, names_of_keys())
        except Exception as error:  # whatever it is, the worker works on without saying which keys it has
            logger.warning("which keys this worker has could not be reported: %s", type(error).__name__)
        finally:
            connection.close()
        if _stopped.wait(_SECONDS_BETWEEN_REPORTS):
            break
    try:
        worker_reports.forget_keys(owner)
    except RedisError as error:
        logger.warning("the report of keys stays until it is old: %s", type(error).__name__)
