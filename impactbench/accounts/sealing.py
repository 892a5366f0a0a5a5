"""Secrets of second factors at rest: a copy of the database alone signs nobody in."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.crypto import salted_hmac

SALT = "impactbench.accounts.sealing"


def seal(text: str) -> str:
    """`text` encrypted under SECRET_KEY."""
    return _keys().encrypt(text.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """What was sealed under SECRET_KEY or one of SECRET_KEY_FALLBACKS.

    Raises ImproperlyConfigured where none of them fits: an empty secret would be one that everybody can guess.
    """
    try:
        return _keys().decrypt(sealed).decode()
    except InvalidToken:
        raise ImproperlyConfigured(
            "A second factor was sealed under another SECRET_KEY: name the old one in SECRET_KEY_FALLBACKS, "
            "or take the factor away (manage.py remove_second_factor EMAIL)."
        ) from None


def _keys() -> MultiFernet:
    """The first one seals, each of them opens."""
    return MultiFernet([Fernet(_derived(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derived(key: str) -> bytes:
    return base64.urlsafe_b64encode(salted_hmac(SALT, "", secret=key, algorithm="sha256").digest())
