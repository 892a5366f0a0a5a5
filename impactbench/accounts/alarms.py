"""Tells operators when somebody is refused again and again: whoever tries doors is noticed within the hour."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from impactbench.accounts.models import RoleGrant, User
from impactbench.common import mail
from impactbench.common.tally import tally

REFUSED = frozenset({401, 403, 404, 429})
HOUR = 3600
TEXT = """{who} was refused {count} times within an hour at addresses that are not public. It may be a broken link or a
program that somebody left running, or somebody who looks for what is not theirs.

docs/security.md, "Incidents", says how to find the requests and what to do.
"""

logger = logging.getLogger(__name__)


def refused_access(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count refusals outside the public pages; at REFUSALS_AN_HOUR, write one line and one mail to each operator."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in REFUSED and not _is_public(request):
            with contextlib.suppress(RedisError):  # a refusal stays one while the cache is away
                _count(request)
        return response

    return middleware


def _is_public(request: HttpRequest) -> bool:
    """Whether the address belongs to pages for everybody, or to nobody: crawlers ask for such all day."""
    namespaces = request.resolver_match.namespaces if request.resolver_match else settings.PUBLIC_NAMESPACES
    return any(name in settings.PUBLIC_NAMESPACES for name in namespaces)


def _count(request: HttpRequest) -> None:
    who, hour = _name(request), int(time.time()) // HOUR
    count = tally(f"refusals:{hour}:{who}".replace(" ", "-"), HOUR)
    if count == settings.REFUSALS_AN_HOUR:
        logger.warning("%s was refused %d times within an hour", who, count)
        for operator in User.objects.filter(role_grants__role=RoleGrant.Role.OPERATOR, is_active=True).distinct():
            mail.post(
                event=f"refusals-{hour}",
                kind="account",
                to=operator,
                round=who,
                subject="Somebody is refused again and again",
                text=TEXT.format(who=who, count=count),
            )


def _name(request: HttpRequest) -> str:
    """`account 17`; of somebody who is signed out a word that stays the same for an address, and not the address."""
    return str(request.user) if request.user.is_authenticated else visitor(request)


def visitor(request: HttpRequest) -> str:
    """A word for the network address that a request came from: always the same one, and not the address."""
    address = get_adapter().get_client_ip(request)
    return f"visitor {salted_hmac('impactbench.accounts.alarms', address).hexdigest()[:12]}"
