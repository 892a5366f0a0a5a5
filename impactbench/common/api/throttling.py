"""How often somebody may ask the API within a minute."""

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


class Throttle(BaseThrottle):
    """At most `limit()` requests within each minute of the clock by each `who(request)`; 0 = as many as they like."""

    def limit(self) -> int:
        """How many requests a minute."""
        raise NotImplementedError

    def who(self, request: Request) -> str:
        """A word that is the same for all requests that count together, and names nobody."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002  (the framework's signature)
        if not self.limit():
            return True
        with contextlib.suppress(RedisError):  # the results stay readable while the cache is away
            minute = int(time.time()) // WINDOW_SECONDS
            return tally(f"api:{minute}:{self.who(request)}", WINDOW_SECONDS) <= self.limit()
        return True

    def wait(self) -> float:
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


class ByAddress(Throttle):
    """API_REQUESTS_A_MINUTE, by the address that our own proxy saw."""

    def limit(self) -> int:
        return settings.API_REQUESTS_A_MINUTE

    def who(self, request: Request) -> str:
        return salted_hmac("impactbench.common.api.throttling", get_adapter().get_client_ip(request)).hexdigest()
