"""The library's OpenID Connect provider, which sends a nonce along and looks closely at what comes back."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider

from impactbench.accounts.oidc.adapter import CheckedAdapter, nonce_of


class CheckedProvider(OpenIDConnectProvider):
    """As the library's, under the same name."""

    oauth2_adapter_class = CheckedAdapter

    def get_pkce_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_pkce_params()
        return {**params, "nonce": nonce_of(params["code_verifier"])}


provider_classes = [CheckedProvider]
