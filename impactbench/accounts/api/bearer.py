"""Who asks the API's private part: a person by a token of theirs, and by nothing else."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from impactbench.accounts.models import AccessToken, User
from impactbench.accounts.second_factor import must_set_up_second_factor
from impactbench.accounts.tokens.scopes import SCOPES
from impactbench.accounts.tokens.services import note_use, token_of

WHERE = "/accounts/tokens/"
MISSING = f"This address needs a token: send the header “Authorization: Bearer ib_…”. Make one at {WHERE}."
UNKNOWN = f"This is not a token of this site. Copy it again in full, or make another at {WHERE}."
EXPIRED = f"This token has expired. Make another at {WHERE}."
REVOKED = f"This token was revoked. Make another at {WHERE}."
CLOSED = "The account of this token is closed."
NO_SECOND_FACTOR = "Your role asks for a second factor. Set one up at /accounts/2fa/, then ask again."


class BearerToken(BaseAuthentication):
    """Takes `Authorization: Bearer ib_…`.

    SECURITY: a session's cookie is never looked at, so no page of another site can make a signed-in browser write here.
    """

    def authenticate(self, request: Request) -> tuple[User, AccessToken]:
        """The person and the token. Raises NotAuthenticated without a token, AuthenticationFailed for a dead one."""
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if not kind:
            raise NotAuthenticated(MISSING)
        token = token_of(text.strip()) if kind.lower() == "bearer" else None
        if token is None:
            raise AuthenticationFailed(UNKNOWN)
        if not token.owner.is_active:
            raise AuthenticationFailed(CLOSED)
        if not token.is_alive:
            raise AuthenticationFailed(REVOKED if token.revoked_at else EXPIRED)
        note_use(token)
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        """RFC 6750: a token that was sent and is no good is told apart from one that is missing."""
        told = ', error="invalid_token"' if "Authorization" in request.headers else ""
        return f'Bearer realm="ImpactBench API"{told}'


class HasScope(BasePermission):
    """The token allows what the view's `scope_for` names, and so does, at this moment, its owner's account."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or PermissionDenied with what is missing."""
        scope = SCOPES[view.scope_for(request.method)]
        token: Any = request.auth
        if scope.name not in token.scopes:
            raise PermissionDenied(f"This token does not allow “{scope.name}”. Make one that does at {WHERE}.")
        if not scope.is_open_to(request.user):
            raise PermissionDenied(f"This needs the role “{scope.role}”, which your account does not have.")
        if must_set_up_second_factor(request.user):
            raise PermissionDenied(NO_SECOND_FACTOR)
        return True


class BearerScheme(OpenApiAuthenticationExtension):
    """How the description of the API names it."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002  (the library's signature)
        return {"type": "http", "scheme": "bearer", "description": f"A token that a person makes at {WHERE}."}
