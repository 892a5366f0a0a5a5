"""What the private addresses of the API share: a token, a scope, a limit for each token, and no cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.conf import settings
from rest_framework.request import Request

from impactbench.accounts.api.bearer import BearerToken, HasScope
from impactbench.common.api.base import READING, ApiView
from impactbench.common.api.parsing import BoundedJson
from impactbench.common.api.throttling import ByAddress, Throttle

WRITING_ERRORS = ("409", "413", "415", "422")


class ByToken(Throttle):
    """At most API_TOKEN_REQUESTS_A_MINUTE within each minute of the clock, by the token."""

    def limit(self) -> int:
        return settings.API_TOKEN_REQUESTS_A_MINUTE

    def who(self, request: Request) -> str:
        return f"token-{request.auth.pk}"


class PrivateView(ApiView):
    """An address for people by their tokens. `noun` begins the names of its scopes, `noun:read` and `noun:write`.

    Answers are `no-store` and say nothing to scripts of other sites: a token belongs in a program and not in a page.
    """

    authentication_classes = [BearerToken]
    permission_classes = [HasScope]
    throttle_classes = [ByToken]
    parser_classes = [BoundedJson]
    noun = ""

    @classmethod
    def scope_for(cls, method: str | None) -> str:
        """The scope that a request by this method needs."""
        return f"{cls.noun}:{'read' if method in READING else 'write'}"

    @classmethod
    def known_errors(cls, method: str) -> Collection[str]:
        return ("401", "403", *super().known_errors(method), *(() if method in READING else WRITING_ERRORS))

    def headers_of(self, status: int) -> Mapping[str, str]:  # noqa: ARG002  (others tell them apart)
        return {"Cache-Control": "no-store", "Vary": "Authorization"}

    def perform_authentication(self, request: Request) -> None:
        # SECURITY: before any token is looked for, so that nobody tries many.
        by_address = ByAddress()
        if not by_address.allow_request(request, self):
            self.throttled(request, by_address.wait())
        super().perform_authentication(request)
