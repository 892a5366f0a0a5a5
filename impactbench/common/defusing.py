"""User-written values inside letters: one line each, and nothing in them that a mail program makes clickable."""

import re

# Line breaks and other controls, and the marks that turn the direction of what follows.
_NOT_IN_ONE_LINE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_SCHEME = re.compile(r":(?=//)|(?<=\bmailto):|(?<=\btel):|(?<=\bjavascript):|(?<=\bdata):", re.IGNORECASE)
# A dot before two letters may end a host's name; a number's dot or that of 'e.g.' cannot.
_DOT = re.compile(r"(?<=\w)[.\uff0e\uff61](?=[^\W\d_]{2})|(?<=\bwww)[.\uff0e\uff61]", re.IGNORECASE)


def defuse(text: str) -> str:
    """`text` in one line, with 'example[.]org' for 'example.org' and 'https[:]//' for 'https://'.

    For names and titles of people's own making inside letters and their subjects.
    """
    one_line = _NOT_IN_ONE_LINE.sub(" ", text).strip()
    return _DOT.sub("[.]", _SCHEME.sub("[:]", one_line))
