"""Turn DATABASE_URL into Django's form, without a library for one line."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def database_from_url(url: str) -> dict[str, Any]:
    """Django's DATABASES entry for `postgresql://user:password@host:port/name?sslmode=...`.

    A socket folder may stand in the query as `host`. Raises ImproperlyConfigured for anything but PostgreSQL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}.") from error
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql:// (ImpactBench needs PostgreSQL).")
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL must name a database, as in postgresql://user@host/impactbench.")
    options = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    host = options.pop("host", "") or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": {"prepare_threshold": 1, **options},
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
