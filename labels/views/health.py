"""`/healthz` and `/readyz`: for the machines that watch over this one."""

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from kombu import Connection

WAIT_SECONDS = 2
logger = logging.getLogger(__name__)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view's signature)
    """200 while the process answers at all; asks nobody else."""
    return _uncached({"alive": True}, status=200)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view's signature)
    """200 when database and broker answer within two seconds each, else 503 that says which of them does not."""
    parts = {"database": _answers(_ask_database), "broker": _answers(_ask_broker)}
    ready = all(parts.values())
    words = {name: "answers" if answered else "does not answer" for name, answered in parts.items()}
    return _uncached({"ready": ready, **words}, status=200 if ready else 503)


def _uncached(content: dict[str, Any], *, status: int) -> HttpResponse:
    return JsonResponse(content, status=status, headers={"Cache-Control": "no-store"})


def _answers(ask: Callable[[], None]) -> bool:
    try:
        ask()
    except Exception as error:  # whatever it is, a part that cannot be asked is not ready
        logger.warning("%s: %s", ask.__name__, error)
        return False
    return True


def _ask_database() -> None:
    """A connection of its own: one that is kept open would wait forever for a server that hangs."""
    fresh = connection.copy()
    fresh.settings_dict["OPTIONS"] = {
        **fresh.settings_dict["OPTIONS"],
        "connect_timeout": WAIT_SECONDS,
        "options": f"-c statement_timeout={WAIT_SECONDS * 1000}",
    }
    try:
        with fresh.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        fresh.close()


def _ask_broker() -> None:
    limits = {"socket_timeout": WAIT_SECONDS, "socket_connect_timeout": WAIT_SECONDS}
    with Connection(settings.CELERY_BROKER_URL, transport_options=limits) as broker:
        broker.ensure_connection(max_retries=1, timeout=WAIT_SECONDS, interval_start=0)
        broker.default_channel.client.ping()  # type: ignore[attr-defined]  # of the Redis transport
