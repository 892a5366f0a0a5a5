"""Addresses whose views fail in one way each."""

from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path
from redis.exceptions import ConnectionError as RedisConnectionError

from impactbench.urls import handler500  # noqa: F401  (what the test is about)

FAILURES = {"database": OperationalError("no server"), "broker": RedisConnectionError("no server"), "us": KeyError("x")}


@login_not_required
def fail(_request: HttpRequest, how: str) -> HttpResponse:
    """Raises what `how` names."""
    raise FAILURES[how]


urlpatterns = [path("fails/<str:how>/", fail), path("api/v1/fails/<str:how>/", fail)]
