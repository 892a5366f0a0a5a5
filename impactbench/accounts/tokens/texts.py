"""The text of a token: a beginning that scanners know, 32 random characters, and a checksum of both.

`ib_` and 38 letters and digits, the last 6 of which are the CRC-32 of what comes before in base 62.
"""

import re
import secrets
import string
import zlib

from django.conf import settings
from django.utils.crypto import salted_hmac

PREFIX = "ib_"
SALT = "impactbench.accounts.tokens"
_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM, _CHECK = 32, 6
PATTERN = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_RANDOM + _CHECK}}}")
SHOWN_CHARACTERS = 7


def new_text() -> str:
    """A token that nobody can guess: 190 random bits."""
    beginning = PREFIX + "".join(secrets.choice(_DIGITS) for _ in range(_RANDOM))
    return beginning + _checksum(beginning)


def is_well_formed(text: str) -> bool:
    """Whether the text can be a token of ours; a wrong one is known without asking the database."""
    return PATTERN.fullmatch(text) is not None and text.endswith(_checksum(text[:-_CHECK]))


def digest(text: str) -> str:
    """What is kept of a token: without SECRET_KEY, a copy of the database cannot even test a guess."""
    return _keyed(text, settings.SECRET_KEY)


def digests(text: str) -> list[str]:
    """What may be kept of a token, under SECRET_KEY and the keys before it."""
    return [_keyed(text, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def _keyed(text: str, key: str) -> str:
    return salted_hmac(SALT, text, secret=key, algorithm="sha256").hexdigest()


def _checksum(text: str) -> str:
    number, found = zlib.crc32(text.encode("ascii")), ""
    for _ in range(_CHECK):
        number, rest = divmod(number, len(_DIGITS))
        found = _DIGITS[rest] + found
    return found
