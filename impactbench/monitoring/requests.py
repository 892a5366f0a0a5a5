"""Counts and times every request, by the part of the site that answered it; no address and no person is in it."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

REQUESTS = Counter(
    "impactbench_requests", "Requests that were answered, by part of the site and status.", ("part", "status")
)
SECONDS = Histogram(
    "impactbench_request_seconds",
    "Time from the request's arrival to its answer.",
    ("part",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
# Pages that were kept are answered before anybody asks which view they belong to.
KEPT, OTHER = "kept pages", "other"
View = Callable[[HttpRequest], HttpResponse]


def measure(get_response: View) -> View:
    """Measure what a visitor waits for; stands outside of everything."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        part = _part(request, response)
        SECONDS.labels(part).observe(time.perf_counter() - began)
        REQUESTS.labels(part, f"{response.status_code // 100}xx").inc()
        return response

    return middleware


def _part(request: HttpRequest, response: HttpResponse) -> str:
    if response.headers.get("X-Page-Cache") == "hit":
        return KEPT
    match = request.resolver_match
    return match.namespaces[0] if match is not None and match.namespaces else OTHER
