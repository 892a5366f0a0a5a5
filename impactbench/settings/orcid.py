"""Signing in with ORCID, as the library that does it wants to be told."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def orcid_providers(*, client_id: str, secret: str, server: str) -> dict[str, Any]:
    """SOCIALACCOUNT_PROVIDERS: ORCID's OpenID Connect where both credentials are given, else nothing at all.

    Raises ImproperlyConfigured when only one of them is given or `server` is no address.
    """
    if not client_id and not secret:
        return {}
    if not client_id or not secret:
        raise ImproperlyConfigured("ORCID_CLIENT_ID and ORCID_CLIENT_SECRET belong together: set both or neither.")
    parts = urlsplit(server)
    if parts.scheme not in ("https", "http") or not parts.netloc:
        raise ImproperlyConfigured(f"ORCID_SERVER must be an address such as https://orcid.org, not {server!r}.")
    app = {
        "provider_id": "orcid",
        "name": "ORCID",
        "client_id": client_id,
        "secret": secret,
        "settings": {"server_url": server.rstrip("/"), "scope": ["openid"], "oauth_pkce_enabled": True},
    }
    return {"openid_connect": {"APPS": [app]}}


def orcid_origin(providers: dict[str, Any]) -> str:
    """`https://orcid.org`, which forms may lead to, or nothing where ORCID is not set up."""
    for app in providers.get("openid_connect", {}).get("APPS", []):
        parts = urlsplit(app["settings"]["server_url"])
        return f"{parts.scheme}://{parts.netloc}"
    return ""
