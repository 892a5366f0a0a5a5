"""How the sign-in library behaves in this house: where it leads people, and in which words."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

from impactbench.accounts.landing import landing_page
from impactbench.accounts.models import User
from impactbench.accounts.sealing import seal, unseal


class AccountAdapter(DefaultAccountAdapter):
    """Signing in, up and out."""

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return landing_page(request.user)

    def get_client_ip(self, request: HttpRequest) -> str:
        try:
            return super().get_client_ip(request)
        except ImproperlyConfigured:
            # Somebody who does not come through all the proxies, such as a health check: no reason to fail.
            return str(request.META.get("REMOTE_ADDR") or "0.0.0.0")  # noqa: S104  (no address to bind to)  # nosec B104


class SecondFactorAdapter(DefaultMFAAdapter):
    """Second factors."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": "This code is not right, or it has passed. Type the one that the app shows now.",
    }

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text)

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002  (the library's)
        return f"Key {Authenticator.objects.filter(user=user, type=type).count() + 1}"


class OrcidAdapter(DefaultSocialAccountAdapter):
    """Signing in with ORCID."""

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        user: User = super().populate_user(request, sociallogin, data)
        user.name = _full_name(data)[:200]
        return user


def _full_name(data: dict[str, Any]) -> str:
    parts = [data.get("name")] if data.get("name") else [data.get("first_name"), data.get("last_name")]
    return " ".join(str(part).strip() for part in parts if part)
