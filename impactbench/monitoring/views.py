"""`/monitoring`: the numbers, for whoever has the token; nobody else learns that there is such an address."""

import os
from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from impactbench.monitoring.collecting import Platform


@require_safe
def monitoring(request: HttpRequest) -> HttpResponse:
    """Numbers of this web server and of the platform, as Prometheus reads them. Raises Http404 without the token."""
    sent = request.headers.get("Authorization", "").encode()
    if not settings.MONITORING_TOKEN or not compare_digest(sent, f"Bearer {settings.MONITORING_TOKEN}".encode()):
        raise Http404
    platform = CollectorRegistry()
    platform.register(Platform())
    text = generate_latest(_of_all_processes()) + generate_latest(platform)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _of_all_processes() -> CollectorRegistry:
    """What the web server's processes have counted, together where docker/gunicorn.conf.py gives them a folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry
