"""Whether other runs wait for a worker, as the broker's queue tells."""

from __future__ import annotations

import base64
import binascii
import json
import logging

from celery import current_app
from kombu import Connection
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# Those that are delivered next.
_MOST_LOOKED_AT = 100


class Queue:
    """The queue that a slice of work was taken from; its connection opens with the first question."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._connection: Connection | None = None

    def holds_another_run(self, run_id: int) -> bool:
        """Whether a message of another run waits; False too where the broker does not answer."""
        try:
            if self._connection is None:
                self._connection = current_app.connection_for_read(transport_options={"socket_timeout": 5})
            messages = self._connection.default_channel.client.lrange(self._name, -_MOST_LOOKED_AT, -1)  # type: ignore[attr-defined]
        except (RedisError, OperationalError, OSError) as error:
            logger.warning("nobody knows whether other runs wait: %s", type(error).__name__)
            self.close()
            return False
        return any(run not in (None, run_id) for run in map(_run_of, messages))

    def close(self) -> None:
        """Gives the connection back."""
        if self._connection is not None:
            self._connection.release()
            self._connection = None


def _run_of(message: bytes) -> int | None:
    """The run that a message asks to work on; None where it asks for something else."""
    try:
        _, arguments, _ = json.loads(base64.b64decode(json.loads(message)["body"]))
        return int(arguments["run"])
    except (ValueError, KeyError, TypeError, binascii.Error):
        return None
