"""How often one network address may ask the API."""

import contextlib
import time

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from impactbench.common.tally import tally

WINDOW_SECONDS = 60


class ByAddress(BaseThrottle):
    """At most API_REQUESTS_A_MINUTE within each minute of the clock, by the address that our own proxy saw."""

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002  (the framework's signature)
        if not settings.API_REQUESTS_A_MINUTE:
            return True
        address = salted_hmac("impactbench.common.api.throttling", get_adapter().get_client_ip(request)).hexdigest()
        with contextlib.suppress(RedisError):  # the results stay readable while the cache is away
            minute = int(time.time()) // WINDOW_SECONDS
            return tally(f"api:{minute}:{address}", WINDOW_SECONDS) <= settings.API_REQUESTS_A_MINUTE
        return True

    def wait(self) -> float:
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS
