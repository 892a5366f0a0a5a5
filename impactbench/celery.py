"""The Celery application: wiring only, the tasks live in `evaluation/tasks.py`."""

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
def join_embedded_servers(**_: Any) -> None:
    """A worker started by hand starts or joins the embedded servers like every command."""
    from impactbench.common.readiness import join_servers  # noqa: PLC0415  (the apps must be loaded first)

    _leases.append(join_servers())
