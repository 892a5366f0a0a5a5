"""What is believed of a provider: its description, and identity tokens that it signed for this very sign-in.

The library trusts the connection alone, which OpenID Connect allows; this asks for the signature, a nonce, the issuer
that was set up, and one person in everything that was told.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare


def nonce_of(code_verifier: str) -> str:
    """The nonce of a sign-in, made of the secret that its session holds already, and telling nothing of it."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"nonce {code_verifier}".encode()).digest()).rstrip(b"=").decode()


class CheckedAdapter(OpenIDConnectOAuth2Adapter):
    """Raises OAuth2Error wherever something is not as it was agreed; the sign-in then ends with a page in words."""

    _nonce = ""

    @property
    def openid_config(self) -> dict[str, Any]:
        config: dict[str, Any] = super().openid_config
        if config.get("issuer") != self.get_provider().app.settings["server_url"]:
            raise OAuth2Error("the description names another issuer than the one that was set up")
        return config

    def get_access_token_data(
        self, request: HttpRequest, app: SocialApp, client: Any, pkce_code_verifier: str | None = None
    ) -> Any:
        self._nonce = nonce_of(pkce_code_verifier or "")
        return super().get_access_token_data(request, app, client, pkce_code_verifier=pkce_code_verifier)

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        if not kwargs["response"].get("id_token"):
            raise OAuth2Error("there is no identity token")
        login: SocialLogin = super().complete_login(request, app, token, **kwargs)
        told = login.account.extra_data
        if told["userinfo"].get("sub") != told["id_token"].get("sub"):
            raise OAuth2Error("the identity token is about somebody else")
        return login

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        try:
            claims: dict[str, Any] = jwtkit.verify_and_decode(
                credential=id_token,
                keys_url=self.openid_config["jwks_uri"],
                issuer=self.openid_config["issuer"],
                audience=app.client_id,
                lookup_kid=jwtkit.lookup_kid_jwk,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise OAuth2Error("the identity token cannot be read") from error
        if not constant_time_compare(str(claims.get("nonce", "")), self._nonce):
            raise OAuth2Error("the identity token belongs to another sign-in")
        return claims
