"""Sees to it that no run goes on in name only: every worker looks for runs of its queues that lost their workers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.db import connection

from evaluation.services.abandoned_runs import ask_again

logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_LOOKS = 10.0
_stopped = threading.Event()


@worker_ready.connect
def begin(sender: Any = None, **_: Any) -> None:
    """Looks from a thread for as long as this worker lives."""
    app = getattr(sender, "app", None)
    if app is not None:
        queues = sorted(app.amqp.queues.consume_from)
        threading.Thread(target=_watch, args=(queues,), name="run-watch", daemon=True).start()


@worker_shutdown.connect
def end(**_: Any) -> None:
    _stopped.set()


def _watch(queues: Iterable[str]) -> None:
    while not _stopped.is_set():
        try:
            for slug, there in ask_again(queues).items():
                # One worker alone is usual where no more are standing; none at all means that one was lost.
                level = logging.INFO if there else logging.WARNING
                logger.log(level, "%d workers were at run %s; others were asked", there, slug)
        except Exception as error:  # whatever it is, the next look may succeed
            logger.warning("whether runs lost their workers is not known: %s", type(error).__name__)
        finally:
            connection.close()
        _stopped.wait(_SECONDS_BETWEEN_LOOKS)
