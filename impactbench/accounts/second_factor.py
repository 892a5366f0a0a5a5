"""Who has a second factor, and who must have one."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings

KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user: Any) -> bool:
    """Whether the person has set up an authenticator app or a passkey."""
    return Authenticator.objects.filter(user=user, type__in=KINDS).exists()


def must_set_up_second_factor(user: Any) -> bool:
    """Whether a role of the person asks for a second factor that is not there yet."""
    if not settings.REQUIRE_SECOND_FACTOR or not user.roles & set(settings.SECOND_FACTOR_ROLES):
        return False
    return not has_second_factor(user)
