"""The local default: PostgreSQL, Valkey and the small language model from their wheels, shared by all who need them.

Whoever needs a server calls `join` and keeps the lease; the last one to leave stops the servers. `paths`,
`database_settings`, `database_url`, `broker_url` and `redis_url` only compute addresses and are free of side effects.
"""

from impactbench.embedded.layout import (
    Paths,
    broker_url,
    database_settings,
    database_url,
    paths,
    redis_url,
)
from impactbench.embedded.lease import Lease, join
from impactbench.embedded.services import EmbeddedServerError, Service

__all__ = [
    "EmbeddedServerError",
    "Lease",
    "Paths",
    "Service",
    "broker_url",
    "database_settings",
    "database_url",
    "join",
    "paths",
    "redis_url",
]
