"""Splits a cell that lists several behaviours into phrases, without cutting quotes, brackets or enumerations."""

import re

_OPENING = {"(": ")", "[": "]", "\u201c": "\u201d"}
# ', or other harmful patterns' ends an enumeration within one behaviour; ', or' cannot begin a phrase.
_ENUMERATION = re.compile(r"(?:or|and|as well as)\s", re.IGNORECASE)


def split_phrases(cell: str) -> list[str]:
    """'Warns, offers help; asks' -> ['Warns', 'offers help', 'asks'].

    A semicolon always parts; where there is one, commas do not, as then they belong to the phrases. A comma parts
    unless the part enumerates ('a, b, or c'), and a single word after a comma stays with what stands before it.
    """
    parts = _cut(cell, ";")
    if len(parts) != 1:
        return parts
    between = _cut(parts[0], ",")
    return parts if any(map(_ENUMERATION.match, between[1:])) else _joined(between)


def _cut(text: str, mark: str) -> list[str]:
    """The parts between marks that stand outside quotes and brackets."""
    parts, start, closing = [], 0, ""
    last = {sign: text.rfind(sign) for sign in (*_OPENING.values(), '"')}
    for at, sign in enumerate(text):
        if closing:
            closing = "" if sign == closing else closing
        elif sign in _OPENING and last[_OPENING[sign]] > at:
            closing = _OPENING[sign]
        elif sign == '"' and last[sign] > at:
            closing = '"'
        elif sign == mark:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _joined(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for part in parts:
        if joined and len(part.split()) == 1:
            joined[-1] = f"{joined[-1]}, {part}"
        else:
            joined.append(part)
    return joined
