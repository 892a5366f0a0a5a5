"""Turn REDIS_URL into the form that Celery wants, which differs for sockets."""

from urllib.parse import parse_qs, urlsplit


def broker_from_url(url: str) -> str:
    """`redis://` and `rediss://` as they are; `unix:///path?db=N` as `redis+socket:///path?virtual_host=N`."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    options = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    credentials = f"{parts.username or ''}:{parts.password}@" if parts.password else ""
    return f"redis+socket://{credentials}{parts.path}?virtual_host={options.get('db', '0')}"
