"""Whether a text of a source was cut off, as generated fields with a length limit are."""

import unicodedata

# A whole text ends so; a closing quote or bracket may follow.
_ENDS = ".!?…\u3002\uff01\uff1f\u061f\u0964"
_CLOSING = "\"'”’)]*_`"


def is_cut_off(text: str, limit: int | None = None) -> bool:
    """Whether it fills the limit exactly, ends in mid-sentence, or ends in a stray sign of another script."""
    stripped = text.rstrip()
    if not stripped:
        return False
    if limit is not None and len(text) == limit:
        return True
    last = stripped.rstrip(_CLOSING)[-1:]
    return last not in _ENDS or _is_stray(stripped)


def _is_stray(text: str) -> bool:
    wide = [sign for sign in text if unicodedata.east_asian_width(sign) == "W" and sign.isalpha()]
    return bool(wide) and len(wide) <= 3 and text[-1] in wide
