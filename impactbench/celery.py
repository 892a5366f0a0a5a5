"""The Celery application: wiring only, the tasks live in the `tasks.py` of each application."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.dev")

app = Celery("impactbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# Held for the life of a worker.
_leases: list[Any] = []


@worker_init.connect
def make_ready(**_: Any) -> None:
    """A worker makes the servers and the tables ready like every command."""
    from django.db import connection  # noqa: PLC0415  (the apps must be loaded first)

    from impactbench.common.readiness import prepare  # noqa: PLC0415  (the apps must be loaded first)

    _leases.append(prepare())
    connection.close()  # the worker's processes have connections of their own
