"""A language that no one speaks: every marked string in brackets and 40 % longer, so that unmarked ones stand out.

`pseudo_locale()` is active in all threads of the process that have chosen no language, the live server's too.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import trans_real

# Where Django keeps the language of all threads, and of this one; it has no public way to put one there.
_django: Any = trans_real
OPEN, CLOSE = "⟦", "⟧"
LONGER_BY = 0.4
# What a translator must leave as it is: tags, placeholders, entities.
_KEPT = re.compile(r"(<[^>]*>|%\(\w+\)[sd]|%[sd%]|&\w+;|&#\d+;)")
_ACCENTS = str.maketrans("aeiouyAEIOUYnc", "àéîöüýÀÉÎÖÜÝñç")


def pseudo(message: str) -> str:
    """The message in the language that no one speaks; tags and placeholders stay, the rest grows by words."""
    if not message.strip():
        return message
    parts = _KEPT.split(message)
    read = [part for part in parts if not _KEPT.fullmatch(part)]
    more = round(len("".join(read)) * LONGER_BY)
    # Words of six letters, so that lines may break as they do in a real language.
    words = " ".join("ẽ" * min(6, more - start) for start in range(0, more, 7))
    accented = "".join(part if _KEPT.fullmatch(part) else part.translate(_ACCENTS) for part in parts)
    return f"{OPEN}{accented} {words}{CLOSE}"


class PseudoTranslation(trans_real.DjangoTranslation):
    """Answers as a catalogue of this language would."""

    def __init__(self) -> None:
        super().__init__("en")

    def gettext(self, message: str) -> str:
        return pseudo(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo((msgid1 if n == 1 else msgid2).rpartition(trans_real.CONTEXT_SEPARATOR)[2])


@contextmanager
def pseudo_locale() -> Iterator[None]:
    """Everything marked is in the pseudo-language inside this block."""
    default, own = _django._default, getattr(_django._active, "value", None)
    _django._default = _django._active.value = PseudoTranslation()
    try:
        yield
    finally:
        _django._default = default
        if own is None:
            del _django._active.value
        else:
            _django._active.value = own
