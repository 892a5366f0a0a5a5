"""A process's first visits are its own: what is loaded, looked up and composed once costs no visitor time.

Without them a process that starts while programs ask hundreds of times a second falls seconds behind.
"""

import json
import logging
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlencode, urlsplit
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.db import connections

from evaluation.models import Polarity, Result

logger = logging.getLogger(__name__)
# A slow database must not keep a process from serving.
MOST_SECONDS = 10.0
# Of who may be somebody, no page is kept: one that another process just made would rehearse nothing.
NOT_FROM_THE_CACHE = {"HTTP_AUTHORIZATION": "Rehearsal"}
Application = Callable[[dict[str, Any], Callable[..., Any]], Any]
Visit = Callable[[str], Any]


def rehearse(application: Application) -> None:
    """Visit the pages and addresses that are asked for most. Raises nothing: a site without results still serves."""
    deadline = time.monotonic() + MOST_SECONDS
    try:
        for address in _addresses(lambda address: _visit(application, address)):
            if time.monotonic() > deadline:
                break
            _visit(application, address)
    except Exception:  # whatever it is, visitors will be told it better
        logger.warning("the rehearsal was broken off", exc_info=True)
    finally:
        connections.close_all()


def _addresses(read: Visit) -> Iterator[str]:
    """What programs and readers begin with, in the newest release."""
    yield from ("/", "/explore/", "/api/v1/releases/")
    metrics, conversations = (_items(read(f"/api/v1/{noun}/?page_size=1")) for noun in ("metrics", "conversations"))
    if not (metrics and conversations):
        return
    benchmark, metric, model = metrics[0]["benchmark"], conversations[0]["metric"], conversations[0]["model"]
    yield from (f"/labels/{model}/", f"/api/v1/labels/{model}/")
    yield from (f"/api/v1/metrics/{metric}/", f"/api/v1/metrics/?{urlencode({'benchmark': benchmark})}")
    yield f"/api/v1/conversations/{conversations[0]['id']}/"
    yield f"/api/v1/conversations/?{urlencode({'metric': metric, 'model': model})}"
    for group in Result.Group.values:
        for more in ({"model": model}, {"profile": "all"}):
            yield f"/api/v1/results/?{urlencode({'group': group, 'polarity': Polarity.POSITIVE, **more})}"


def _items(page: Any) -> list[dict[str, Any]]:
    return page.get("results", []) if isinstance(page, dict) else []


def _visit(application: Application, address: str) -> Any:
    """What the application answers: parsed where it is JSON, None for anything else."""
    path, _, query = address.partition("?")
    environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": query, **NOT_FROM_THE_CACHE, **_as_the_proxy()}
    setup_testing_defaults(environ)
    environ["wsgi.input"] = BytesIO()
    said: dict[str, str] = {}

    def start_response(_status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
        said.update(headers)

    body = application(environ, start_response)
    try:
        content = b"".join(body)
    finally:
        if hasattr(body, "close"):
            body.close()
    is_json = said.get("Content-Type", "").startswith("application/json")
    return json.loads(content) if is_json else None


def _as_the_proxy() -> dict[str, str]:
    """What the proxy would say of a visitor, so that the host is one of ours and nothing leads to TLS first."""
    hosts = [host for host in settings.ALLOWED_HOSTS if "*" not in host]
    public = urlsplit(settings.PUBLIC_URL).netloc
    header, secure = settings.SECURE_PROXY_SSL_HEADER or ("wsgi.url_scheme", "http")
    return {"HTTP_HOST": public or (hosts or ["localhost"])[0], "HTTP_X_FORWARDED_FOR": "127.0.0.1", header: secure}
